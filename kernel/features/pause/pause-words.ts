/** Words for the owner about a pause. Words only. Called by own-commands.ts, `status` and `doctor`. */
import type { Pause, PauseSaid } from '../../task/pause.ts'
import { localMoment } from '../../wording/output.ts'
import { chatTitle, type Told } from '../deliveries/outage.ts'

const ALONE = 'Nothing runs until you say /resume; what comes meanwhile is kept.'

export function pauseAnswer({ did, waited }: PauseSaid, now: Pause | null, told: Told): string {
  switch (did) {
    case 'paused':
      return `I pause. ${ALONE}`
    case 'already':
      return now === null ? `I pause. ${ALONE}` : `I pause already, ${pausedBy(now, told)}. ${ALONE}`
    case 'resumed':
      return `I go on. ${waitedText(waited)}`
    case 'not_paused':
      return 'I do not pause: nothing was held up.'
    case 'held':
      return 'I go on pausing: that was said on your private line at home, and /resume ends it there alone.'
    case 'late':
      return 'I go on pausing: this /resume was written before the pause, and came after it. Say it again to go on.'
  }
}

function waitedText(waited: number): string {
  if (waited === 0) return 'No message waited.'
  return waited === 1
    ? 'One message waited, and is answered now.'
    : `${waited} messages waited, and are answered now in their order.`
}

/** `since 2026-11-20 12:00, by the terminal`. */
export function pausedBy({ since, sink }: Pick<Pause, 'since' | 'sink'>, { timezone, chats }: Told): string {
  return `since ${localMoment(since, timezone)}, by ${chatTitle(sink, chats)}`
}

/** The same, with the place that set it: a pause set at home can be ended at home only. */
export function pauseStands(pause: Pause, told: Told): string {
  return `${pausedBy(pause, told)}, ${pause.by === 'home' ? 'at home' : 'at the edge'}`
}
