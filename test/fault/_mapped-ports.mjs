/** Preloaded by a process whose connections to some ports of loopback must run through proxies. `MAPPED_PORTS`: JSON, port of
 *  a server to port of its proxy. A Redis tells its clients its own address, so a setting cannot do this. */

import { Socket } from 'node:net';

const ports = JSON.parse(process.env.MAPPED_PORTS);
const { connect } = Socket.prototype;

Socket.prototype.connect = function (...args) {
  const isNormalized = Array.isArray(args[0]);
  const options = isNormalized ? args[0][0] : args[0];
  const port = ports[options?.port];
  if (port !== undefined && isNormalized) args[0][0] = { ...options, port };
  else if (port !== undefined) args[0] = { ...options, port };
  return connect.apply(this, args);
};
