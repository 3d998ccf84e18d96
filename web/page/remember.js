// What is told again to an engine that takes the place of another.

/** Keeps what a new engine has to know: files, and the last of all else that is taken. */
export function remember(told, request, bytes) {
  if (!['file', 'open', 'load'].includes(request.do)) return;
  const key = request.do === 'file' ? `file ${request.name}` : request.do;
  // A scene needs the files that came before it.
  told.delete(key);
  told.set(key, { request, bytes });
}
