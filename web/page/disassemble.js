// A module of WebAssembly as text.

import { WasmDisassembler } from 'wasmparser/dist/esm/WasmDis.js';
import { BinaryReader } from 'wasmparser/dist/esm/WasmParser.js';

/**
 * The text of a module, and the instruction of the shader program that each line is there for, if there is one.
 *
 * @param {Uint8Array} module
 * @param {[number, number | null][]} origins bytes from which on the code is there for an instruction, or for none
 */
export function disassemble(module, origins) {
  const reader = new BinaryReader();
  reader.setData(module.buffer.slice(module.byteOffset, module.byteOffset + module.length), 0, module.length);
  const disassembler = new WasmDisassembler();
  disassembler.addOffsets = true;
  disassembler.disassembleChunk(reader);
  const { lines, offsets } = disassembler.getResult();
  let next = 0;
  let current = null;
  const instructions = offsets.map((offset) => {
    for (; next < origins.length && origins[next][0] <= offset; next++) [, current] = origins[next];
    return current;
  });
  return { text: lines.join('\n'), instructions };
}
