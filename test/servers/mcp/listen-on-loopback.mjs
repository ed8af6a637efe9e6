// Loaded before programs of others (`node --import`): what they serve is heard on 127.0.0.1 alone, and they tell their
// port to who started them.
import { Server } from "node:net";

const listen = Server.prototype.listen;
Server.prototype.listen = function (port, ...rest) {
  if (typeof port !== "number" && typeof port !== "string") return Reflect.apply(listen, this, [port, ...rest]);
  const callback = rest.find((argument) => typeof argument === "function");
  this.once("listening", () => {
    const address = this.address();
    if (typeof address === "object" && address !== null) process.send?.({ port: address.port });
    callback?.call(this);
  });
  // Named as a host, the address would be looked up first; these programs ask for their port at once.
  this._listen2("127.0.0.1", Number(port), 4, 511, undefined, 0);
  return this;
};
