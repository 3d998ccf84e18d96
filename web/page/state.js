// What is kept: in the browser, in a link, in a page of its own.

const KEY = 'attila-playground';

async function through(bytes, stream) {
  const readable = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(readable).arrayBuffer());
}

/** The bytes of base 64. */
export function fromBase64(text) {
  const characters = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
  return Uint8Array.from(characters, (it) => it.charCodeAt(0));
}

function toBase64(bytes) {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

export const unzip = (bytes) => through(bytes, new DecompressionStream('gzip'));

/** The part of an address that carries a state. It is not sent to servers. */
export async function toLink(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  return `#p=${toBase64(await through(bytes, new CompressionStream('deflate-raw')))}`;
}

/** The state that an address carries; none if it carries none, or one that is damaged. */
export async function fromLink(hash) {
  if (!hash.startsWith('#p=')) return null;
  try {
    const bytes = await through(fromBase64(hash.slice(3)), new DecompressionStream('deflate-raw'));
    return valid(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return null;
  }
}

const isProgram = (it) => typeof it?.text === 'string' && typeof it?.name === 'string';

/** A state, or none if it is not one. */
export function valid(state) {
  const mesh = state?.mesh;
  return isProgram(state) && (!mesh || (typeof mesh.model === 'string' && isProgram(mesh.vertex))) ? state : null;
}

export function keep(state) {
  try {
    localStorage.setItem(KEY, JSON.stringify(state));
  } catch {
    // A browser that keeps nothing shows the first program again.
  }
}

export function kept() {
  try {
    return valid(JSON.parse(localStorage.getItem(KEY)));
  } catch {
    return null;
  }
}

/** Gives a file to the reader. */
export function save(name, blob) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
