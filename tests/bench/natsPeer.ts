/** Answers each message through a broker at once, in a thread of its own. */
import { parentPort, workerData } from 'node:worker_threads';
import { connect } from '@nats-io/transport-node';

const { url } = workerData as { url: string };
const connection = await connect({ servers: url, noEcho: true });
const answer = Buffer.alloc(150, 'x');
connection.subscribe('bench.echo', {
  callback: (_, { reply }) => {
    if (reply !== undefined) connection.publish(reply, answer);
  },
});
await connection.flush();
parentPort?.postMessage('ready');
