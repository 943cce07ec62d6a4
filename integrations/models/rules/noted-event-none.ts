/** The edge makes no events. Bundled there in place of noted-event.ts (`#noted-event` in package.json). */

export function notedEvent(..._asked: readonly unknown[]): null {
  return null
}
