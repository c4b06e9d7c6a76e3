"""A client in the manner of py-xiaozhi, on the `websockets` package: handles frames concurrently, so answers overtake.

Usage: xiaozhiPython.py WS_URL. Ends cleanly when the server closes or when the tool `leave` is called.
"""

import asyncio
import json
import sys

import websockets

HEADERS = {
    "Authorization": "Bearer None",
    "Protocol-Version": "1",
    "Device-Id": "02:00:00:aa:bb:01",
    "Client-Id": "5d1b6d2c-0000-4000-8000-0000000000aa",
}

TOOLS = [
    {"name": f"tool.{index}", "description": "工具" * 10, "inputSchema": {"type": "object", "properties": {}, "required": []}}
    for index in range(19)
]
PAGES = {"": (0, 8), "tool.8": (8, 16), "tool.16": (16, 19)}
waiting = asyncio.Event()


async def result_of(method, params):
    if method == "initialize":
        return {"protocolVersion": "2024-11-05", "capabilities": {"tools": {}}, "serverInfo": {"name": "py-xiaozhi", "version": "2.1.1"}}
    if method == "tools/list":
        first, end = PAGES[params["cursor"]]
        return {"tools": TOOLS[first:end], **({"nextCursor": TOOLS[end]["name"]} if end < len(TOOLS) else {})}
    name = params["name"]
    if name == "tool.0":
        await waiting.wait()
    if name == "tool.1":
        waiting.set()
    if name == "tool.2":
        return {"content": [{"type": "text", "text": "Missing required argument: volume"}], "isError": True}
    return {"content": [{"type": "text", "text": name}], "isError": False}


async def handle(connection, payload):
    if "id" not in payload:
        return
    known = payload["method"] != "tools/call" or any(tool["name"] == payload["params"]["name"] for tool in TOOLS)
    answer = {"jsonrpc": "2.0", "id": payload["id"]}
    if known:
        answer["result"] = await result_of(payload["method"], payload["params"])
    else:
        answer["error"] = {"code": -32603, "message": f"Unknown tool: {payload['params']['name']}"}
    await connection.send(json.dumps({"session_id": "", "type": "mcp", "payload": answer}))


async def run():
    # The name of this argument changed in websockets 14.
    headers = "additional_headers" if int(websockets.__version__.split(".")[0]) >= 14 else "extra_headers"
    async with websockets.connect(sys.argv[1], compression=None, open_timeout=5, ping_interval=0.2, **{headers: HEADERS}) as connection:
        await connection.send(json.dumps({"type": "hello", "version": 1, "features": {"mcp": True}, "transport": "websocket",
                                          "audio_params": {"format": "opus", "sample_rate": 16000, "channels": 1, "frame_duration": 20}}))
        hello = json.loads(await connection.recv())
        assert hello["type"] == "hello" and hello["transport"] == "websocket", hello
        await connection.send(json.dumps({"session_id": "", "type": "listen", "state": "start", "mode": "manual"}))
        tasks = set()
        async for text in connection:
            message = json.loads(text)
            if message["payload"].get("params", {}).get("name") == "leave":
                return
            task = asyncio.create_task(handle(connection, message["payload"]))
            tasks.add(task)
            task.add_done_callback(tasks.discard)


asyncio.run(run())
