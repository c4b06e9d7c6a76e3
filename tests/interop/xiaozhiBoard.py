"""A board as the firmware's own client speaks: a WebSocket by hand on a plain socket, from Python's standard library.

Host without a port, no Origin, no User-Agent, masked frames, no close frame at the end. Asks OTA first.
Usage: xiaozhiBoard.py OTA_URL. Ends with the call of self.reboot; fails on anything a board would trip over.
"""

import base64
import http.client
import json
import os
import socket
import struct
import sys
import urllib.parse

MAC = "02:00:00:11:22:33"


def ask_ota(url):
    at = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(at.hostname, at.port, timeout=10)
    info = {"version": 2, "mac_address": MAC, "application": {"name": "xiaozhi", "version": "2.4.2"}, "board": {"name": "raw-board"}}
    headers = {"Device-Id": MAC, "Client-Id": "raw-client", "Activation-Version": "1", "Content-Type": "application/json", "Connection": "close"}
    connection.request("POST", at.path, json.dumps(info), headers)
    response = connection.getresponse()
    body = response.read()
    assert response.status == 200, response.status
    assert response.getheader("Content-Type") == "application/json"
    assert int(response.getheader("Content-Length")) == len(body) < 7000
    answer = json.loads(body)
    assert "mqtt" not in answer and "activation" not in answer
    return answer["websocket"]


class Wire:
    def __init__(self, url, token):
        at = urllib.parse.urlsplit(url)
        self.socket = socket.create_connection((at.hostname, at.port), timeout=10)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET {at.path} HTTP/1.1",
            f"Host: {at.hostname}",
            f"Authorization: Bearer {token}",
            "Client-Id: raw-client",
            "Connection: Upgrade",
            f"Device-Id: {MAC}",
            "Protocol-Version: 1",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
            "Upgrade: websocket",
        ]
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self.buffer += self.socket.recv(4096)
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        assert head.startswith(b"HTTP/1.1 101"), head
        assert b"extensions" not in head.lower(), head

    def take(self, count):
        while len(self.buffer) < count:
            more = self.socket.recv(65536)
            if not more:
                raise EOFError
            self.buffer += more
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def frame(self, opcode, data, final=True):
        mask = os.urandom(4)
        size = len(data)
        length = struct.pack("!B", 0x80 | size) if size < 126 else struct.pack("!BH", 0x80 | 126, size)
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(data))
        self.socket.sendall(bytes([(0x80 if final else 0) | opcode]) + length + mask + masked)

    def send(self, message):
        self.frame(1, json.dumps(message, ensure_ascii=False).encode() if isinstance(message, dict) else message.encode())

    def receive(self):
        while True:
            first, second = self.take(2)
            assert not second & 0x80, "a server must not mask"
            size = second & 0x7F
            if size == 126:
                (size,) = struct.unpack("!H", self.take(2))
            data = self.take(size)
            if first & 0x0F == 1:
                return json.loads(data)
            if first & 0x0F == 8:
                raise EOFError


def run():
    target = ask_ota(sys.argv[1])
    wire = Wire(target["url"], target["token"])
    wire.send({"type": "hello", "version": 1, "features": {"mcp": True, "glyph_push": True}, "transport": "websocket",
               "audio_params": {"format": "opus", "sample_rate": 16000, "channels": 1, "frame_duration": 60}})
    # The firmware shows an alert on its screen also before the server's hello.
    alert = wire.receive()
    assert alert["type"] == "alert" and all(isinstance(alert[name], str) for name in ("status", "message", "emotion")), alert
    hello = wire.receive()
    assert hello["type"] == "hello" and hello["transport"] == "websocket", hello
    assert isinstance(hello["audio_params"]["sample_rate"], int)
    wire.send({"session_id": hello["session_id"], "type": "listen", "state": "start", "mode": "auto"})
    wire.frame(2, b"\x00" * 120)
    tools = [
        {"name": "self.audio_speaker.set_volume", "description": "音量", "inputSchema": {
            "type": "object", "properties": {"volume": {"type": "integer", "minimum": 0, "maximum": 100}}, "required": ["volume"]}},
        {"name": "self.reboot", "description": "", "inputSchema": {"type": "object", "properties": {}},
         "annotations": {"audience": ["user"]}},
    ]
    while True:
        message = wire.receive()
        payload = message["payload"]
        method, number = payload["method"], payload.get("id")
        if number is None:
            continue
        assert isinstance(number, int)
        if method == "initialize":
            result = {"protocolVersion": "2024-11-05", "capabilities": {"tools": {}}, "serverInfo": {"name": "raw-board", "version": "2.4.2"}}
        elif method == "tools/list":
            result = {"tools": tools[:1], "nextCursor": "self.reboot"} if payload["params"]["cursor"] == "" else {"tools": tools[1:]}
        elif payload["params"]["name"] == "self.reboot":
            wire.socket.close()
            return
        elif payload["params"]["name"] == 'no"such':
            wire.send('{"session_id":"","type":"mcp","payload":{"jsonrpc":"2.0","id":%d,"error":{"message":"Unknown tool: no"such"}}}' % number)
            continue
        else:
            result = {"content": [{"type": "text", "text": json.dumps(payload["params"]["arguments"])}], "isError": False}
        answer = json.dumps({"session_id": "", "type": "mcp", "payload": {"jsonrpc": "2.0", "id": number, "result": result}}, ensure_ascii=False).encode()
        # In two fragments, as small buffers make them.
        wire.frame(1, answer[:20], final=False)
        wire.frame(0, answer[20:])


run()
