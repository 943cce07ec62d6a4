/** Text formatting shared by operations: one line, an age, a time. Pure. Called by the operations' renderers. */

/** Flattens to one line, so that it cannot break the surrounding lines. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Age in whole minutes, hours or days; both arguments in epoch milliseconds. */
export function ageOf(at: number, now: number): string {
  const minutes = Math.max(0, Math.floor((now - at) / 60_000))
  if (minutes < 60) return `${minutes} min`
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1_440)} days`
}

/** Time to the minute. */
export function momentOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** Indented lines below a heading. */
export function below(text: string): readonly string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `   ${line}`)
}
