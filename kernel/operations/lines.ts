/**
 * Small words that several operations share: one line of a text, an age, a moment. Pure. Called by the operations' renderers.
 */

/** What stands beside other facts keeps to its line. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Whole minutes, hours or days; both epoch milliseconds. */
export function ageOf(at: number, now: number): string {
  const minutes = Math.max(0, Math.floor((now - at) / 60_000))
  if (minutes < 60) return `${minutes} min`
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1_440)} days`
}

/** To the minute. */
export function momentOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** Lines below a head. */
export function below(text: string): readonly string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `   ${line}`)
}
