import type { Attempt } from "./attempt.js";

/**
 * What a browser lets the script of a frame do all the same: no policy stops it.
 * Not counted; in the engines of `allowedBy` the test expects that it comes
 * through, so that the threat model stays true. Worker code has none of these
 * interfaces, which `absent` below shows.
 */
export const allowed: readonly Attempt[] = [
  {
    name: "WebRTC to a STUN server",
    ring: "frame",
    group: "network",
    language: "javascript",
    sign: "bytes",
    hasOwnPorts: true,
    twin: "plain frame",
    allowedBy: ["chromium", "firefox"],
    // It does not always take a loopback address for a network.
    unsteadyIn: ["firefox"],
    code: ({ rawPort, udpPort }) => `
      const connection = new RTCPeerConnection({ iceServers: [
        { urls: "stun:127.0.0.1:${String(udpPort)}" },
        { urls: "turn:127.0.0.1:${String(rawPort)}?transport=tcp", username: "secret", credential: "x" },
      ] });
      connection.createDataChannel("x");
      await connection.setLocalDescription(await connection.createOffer());
      await new Promise((resolve) => setTimeout(resolve, 800))`,
  },
  {
    name: "a bare connect by a preconnect link",
    ring: "frame",
    group: "network",
    language: "javascript",
    sign: "connect",
    hasOwnPorts: true,
    twin: "plain frame",
    allowedBy: ["chromium", "webkitgtk"],
    code: ({ rawPort }) => `
      const link = document.createElement("link"); link.rel = "preconnect"; link.href = "http://127.0.0.1:${String(rawPort)}/";
      document.documentElement.append(link);
      await new Promise((resolve) => setTimeout(resolve, 500))`,
  },
  {
    name: "going back in the history",
    ring: "frame",
    group: "page",
    language: "javascript",
    sign: "effect",
    twin: "plain frame",
    allowedBy: ["firefox", "webkitgtk"],
    code: () => `history.back(); await new Promise((resolve) => setTimeout(resolve, 500))`,
  },
  {
    name: "a message to the page's window",
    ring: "frame",
    group: "page",
    language: "javascript",
    sign: "effect",
    twin: "plain frame",
    allowedBy: ["chromium", "firefox", "webkitgtk"],
    code: ({ mark }) => `top.postMessage("${mark}", "*")`,
  },
  {
    name: "a loop in the frame's own script",
    ring: "frame",
    group: "denial of service",
    language: "javascript",
    sign: "silence",
    twin: "plain frame",
    // Chromium gives the frames of all sessions one process, and with it one thread beside the page's.
    allowedBy: ["chromium", "firefox", "webkitgtk"],
    code: () => `const end = Date.now() + 4000; while (Date.now() < end);`,
  },
];

/** What a worker would need for them; `dir(js)` of the sealed worker must not have it. */
export const absent = [
  "RTCPeerConnection",
  "document",
  "history",
  "parent",
  "top",
  "opener",
  "open",
  "alert",
  "Image",
  "localStorage",
  "sessionStorage",
] as const;
