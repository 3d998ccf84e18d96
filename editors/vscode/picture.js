// The panel that shows what `attila/picture` answers, and asks for the pixel that is clicked.
'use strict';

const { randomBytes } = require('node:crypto');

/** What the page does: a click tells where it is, in units of the picture's squares. */
const script = `
const editor = acquireVsCodeApi();
const picture = document.querySelector('svg');
picture.addEventListener('click', ({ clientX, clientY }) => {
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(picture.getScreenCTM().inverse());
  editor.postMessage([x, y]);
});`;

/** A page with the picture, enlarged, and a frame around its pixel. */
function page({ size: [width, height], marked: [x, y], pixels, pixel, whole }) {
  const nonce = randomBytes(16).toString('base64');
  const colour = ([red, green, blue, alpha]) => `rgb(${red} ${green} ${blue} / ${alpha / 255})`;
  const square = (pixel, at) =>
    `<rect x="${at % width}" y="${Math.floor(at / width)}" width="1.02" height="1.02" fill="${colour(pixel)}"/>`;
  const frame = (stroke, thickness) =>
    `<rect x="${x}" y="${y}" width="1" height="1" fill="none" stroke="${stroke}" stroke-width="${thickness}"/>`;
  return `<!DOCTYPE html>
<html><head>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-${nonce}'">
</head><body>
<p>Pixel ${pixel.join(', ')} of ${whole.join(' x ')}. Click another to record it.</p>
<svg viewBox="-1 -1 ${width + 2} ${height + 2}" width="100%" xmlns="http://www.w3.org/2000/svg">
${pixels.map(square).join('\n')}
${frame('black', 0.5)}${frame('white', 0.25)}
</svg>
<script nonce="${nonce}">${script}</script>
</body></html>`;
}

/** The pixel of the whole picture at a place among its squares; undefined beside it. */
function pixelAt({ size, whole }, at) {
  const pixel = at.map((it, axis) => Math.floor((it * whole[axis]) / size[axis]));
  return pixel.every((it, axis) => it >= 0 && it < whole[axis]) ? pixel : undefined;
}

/** Shows a session's picture in a webview, where a click records another pixel. */
async function connect(session, webview, complain) {
  let picture;
  const show = async () => {
    picture = await session.customRequest('attila/picture');
    webview.html = page(picture);
  };
  webview.onDidReceiveMessage(async (at) => {
    const pixel = pixelAt(picture, at);
    try {
      if (pixel) {
        await session.customRequest('attila/pixel', { pixel });
        await show();
      }
    } catch (error) {
      complain(error.message);
    }
  });
  await show();
}

module.exports = { connect, page, pixelAt };
