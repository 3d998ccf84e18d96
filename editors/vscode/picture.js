// The page of the panel that shows what `attila/picture` answers.
'use strict';

/** A page with the picture, enlarged, and a frame around its pixel. */
function page({ size: [width, height], marked: [x, y], pixels }) {
  const colour = ([red, green, blue, alpha]) => `rgb(${red} ${green} ${blue} / ${alpha / 255})`;
  const square = (pixel, at) =>
    `<rect x="${at % width}" y="${Math.floor(at / width)}" width="1.02" height="1.02" fill="${colour(pixel)}"/>`;
  const frame = (stroke, thickness) =>
    `<rect x="${x}" y="${y}" width="1" height="1" fill="none" stroke="${stroke}" stroke-width="${thickness}"/>`;
  return `<!DOCTYPE html>
<html><head><meta http-equiv="Content-Security-Policy" content="default-src 'none'"></head><body>
<svg viewBox="-1 -1 ${width + 2} ${height + 2}" width="100%" xmlns="http://www.w3.org/2000/svg">
${pixels.map(square).join('\n')}
${frame('black', 0.5)}${frame('white', 0.25)}
</svg></body></html>`;
}

module.exports = { page };
