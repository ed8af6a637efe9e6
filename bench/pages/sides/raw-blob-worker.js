// The bare blob channel, by hand: no names, no checks, one call at a time. One classic script, handed over as text.
self.onmessage = ({ ports: [port] }) => {
  port.onmessage = ({ data: task }) => {
    port.postMessage({ kind: "end", ...carryOut(port, task) });
  };
};

const LARGE = 10_000_000;

function carryOut(port, { operation, count, text, batch }) {
  const steps = { waiting: 0, spelling: 0, reading: 0 };
  const started = performance.now();
  let urls = batch;
  for (let index = 0; index < count; index++) {
    if (operation === "give") {
      const bytes = new Uint8Array(LARGE);
      port.postMessage({ kind: "call", payload: bytes }, [bytes.buffer]);
    } else port.postMessage({ kind: "call", payload: operation === "echo" ? text : null });
    const posted = performance.now();
    while (get(urls[128]) !== undefined);
    const complete = performance.now();
    const address = spelt(urls);
    const known = performance.now();
    const mail = new Uint8Array(get(address, "arraybuffer"));
    const size = new DataView(mail.buffer).getUint32(0, true);
    const answer = mail.subarray(4 + size);
    if (operation === "echo") new TextDecoder().decode(answer);
    urls = JSON.parse(new TextDecoder().decode(mail.subarray(4, 4 + size)));
    steps.waiting += complete - posted;
    steps.spelling += known - complete;
    steps.reading += performance.now() - known;
  }
  return { time: performance.now() - started, steps };
}

/** What lies at a URL; undefined when it was revoked. */
function get(url, type = "") {
  const request = new XMLHttpRequest();
  try {
    request.open("GET", url, false);
    request.responseType = type;
    request.send();
    return request.status === 200 ? request.response : undefined;
  } catch {
    return undefined;
  }
}

function spelt(urls) {
  let digits = "";
  for (let bit = 0; bit < 128; bit += 4) {
    let digit = 0;
    for (let next = bit; next < bit + 4; next++) digit = digit * 2 + (get(urls[next]) === undefined ? 1 : 0);
    digits += digit.toString(16);
  }
  const uuid = digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  return urls[128].slice(0, urls[128].lastIndexOf("/") + 1) + uuid;
}
