/**
 * Replaces ids that the emulator draws at random or from its clock by counted ones: `evt_new1` for `evt_Wtmfx5ybNnnLZhVB`. The
 * same requests in the same order then get the same bytes. Ids of the seed stay. Must not know what an id belongs to. Called by
 * calendar-front.ts.
 */

/** Ids in the emulator's form: of events, mails, threads, attachments, calendars and drafts. */
const DRAWN = /(?<![\w-])(?:(evt|msg|thr|att|cal)_[\w-]{16}(?:[\w-]{4})?|(r)-\d{14,30})(?![\w-])/g
const COUNTED = /(?<![\w-])(?:(?:evt|msg|thr|att|cal)_|r-)new\d{1,6}(?![\w-])/g

export interface SteadyIds {
  /** Rewrites a response: each drawn id becomes a counted one, in the order of first use. */
  shown(text: string): string
  /** Rewrites a request: each counted id becomes the drawn one again. An unknown id stays as it is. */
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
    // Counted per kind of id, because parts of mails that are read concurrently come in any order.
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
