/**
 * Texts about an offline home: the one question to the owner, and the note on a late answer (DESIGN §1, T-07). Fixed texts:
 * must not contain anything of the task. Called by the wait for home and drive.ts.
 */

/** `ttl` in milliseconds. */
export function waitingNotice(ttl: number): string {
  const minutes = Math.ceil(ttl / 60_000)
  return [
    `Your home box does not answer. What you asked waits for it, up to ${minutes} minutes from when you asked; the same goes for what you ask here meanwhile and needs it. I will tell you how it ended.`,
    'Shall I answer without your private data instead? Yes: now. No, or no answer: it waits.',
  ].join('\n')
}

/** Question about a message in the edge's bot chat that is queued, sealed, for an offline home. `ttl` in milliseconds. */
export function keptQuestion(ttl: number): string {
  const minutes = Math.ceil(ttl / 60_000)
  return [
    `Your home box does not answer. What you wrote here is kept for it, sealed so that it alone can read it, for ${minutes} more minutes; what you write here until then waits with it. I will tell you if home is not back in time.`,
    'Shall I answer without your private data instead? Yes: I throw away what waits, unless home may have it already, and you send it again. No, or no answer: it waits.',
  ].join('\n')
}

/** What happened to the queued message. */
export const KEPT_ENDS = Object.freeze({
  here: 'I threw away what waited, since home alone could read it. Send it again: until home is back I answer here, without your private data.',
  home: 'Home was back before you said so: it has what you wrote, and answers it.',
  sent: 'What you wrote had gone out to home before you said so, so home alone may answer it, once it is back. What you write until then I answer here, without your private data.',
  both: 'Some of what you wrote had gone out to home before you said so, and home answers it once it is back. The rest I threw away, so send it again. Until home is back I answer here, without your private data.',
  late: 'Home was not back in time. What you wrote here I no longer keep, and unless home has it already it is not answered. Send it again to have it wait once more.',
  stopped: 'What waited here for home is thrown away as well.',
  revoked:
    'You took back that home answers here. What waited here for home is not answered, and I no longer keep it.',
})
export type KeptEnd = keyof typeof KEPT_ENDS

/** Shown at home, for messages that arrived after the owner had revoked answers in that chat. */
export const KEPT_IN_VAIN =
  'What you wrote to the edge’s bot came to me after you had taken back that I answer there, so I did not read or answer it.'

/** Shown at home, for a box that it cannot open. */
export const KEPT_UNREAD =
  'Something that you wrote here could not be opened by your home box. Send it again.'

/** Precedes an answer that waited for home. */
export const LATE_NOTE = 'This comes late, because your home box was away.'
