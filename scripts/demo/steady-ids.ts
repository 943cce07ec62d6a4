/**
 * Ids that the emulator draws at random or from its clock, as counted ones: `evt_new1` instead of `evt_Wtmfx5ybNnnLZhVB`. What is asked of the demo in the
 * same order then gets the same answer, byte for byte. Ids of the seed stay. Must not know what an id is of. Called by calendar-front.ts.
 */

/** As the emulator makes them: of events, mails, threads, attachments, calendars and drafts. */
const DRAWN = /(?<![\w-])(?:(evt|msg|thr|att|cal)_[\w-]{16}(?:[\w-]{4})?|(r)-\d{14,30})(?![\w-])/g
const COUNTED = /(?<![\w-])(?:(?:evt|msg|thr|att|cal)_|r-)new\d{1,6}(?![\w-])/g

export interface SteadyIds {
  /** For who asks: ids in the order in which they were first given. */
  shown(text: string): string
  /** For the emulator. One that was never given stays as it is. */
  drawn(text: string): string
  forget(): void
}

export function createSteadyIds(): SteadyIds {
  const counted = new Map<string, string>()
  const known = new Map<string, string>()
  const last = new Map<string, number>()
  const countOf = (id: string, prefix: string): string => {
    const before = counted.get(id)
    if (before !== undefined) return before
    // Each kind by itself: the parts of mails that are read at once come in any order.
    const number = (last.get(prefix) ?? 0) + 1
    const own = `${prefix}new${number}`
    last.set(prefix, number)
    counted.set(id, own)
    known.set(own, id)
    return own
  }
  return {
    shown: (text) =>
      text.replace(DRAWN, (id, kind?: string) => countOf(id, kind === undefined ? 'r-' : `${kind}_`)),
    drawn: (text) => text.replace(COUNTED, (id) => known.get(id) ?? id),
    forget() {
      counted.clear()
      known.clear()
      last.clear()
    },
  }
}
