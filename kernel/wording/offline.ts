/**
 * Words about a home box that is away: the one question to the owner, and the note on an answer that comes late
 * (DESIGN §1, T-07). Kernel words only: must not hold anything of the task. Called by the wait for home and drive.ts.
 */

/** `ttl` in milliseconds. */
export function waitingNotice(ttl: number): string {
  const minutes = Math.ceil(ttl / 60_000)
  return [
    `Your home box does not answer. What you asked waits for it, up to ${minutes} minutes from when you asked; the same goes for what you ask here meanwhile and needs it. I will tell you how it ended.`,
    'Shall I answer without your private data instead? Yes: now. No, or no answer: it waits.',
  ].join('\n')
}

/** Stands before an answer that waited for home. */
export const LATE_NOTE = 'This comes late, because your home box was away.'
