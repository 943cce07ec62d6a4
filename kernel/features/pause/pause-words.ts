/** Words for the owner about a pause. Words only. Called by own-commands.ts, `status` and `doctor`. */
import type { Pause, PauseAnswer } from '../../task/pause.ts'
import { figuredMoment } from '../../wording/output.ts'
import { tell } from '../../wording/words.ts'
import { chatTitle, type OutageFacts } from '../deliveries/outage.ts'

export function pauseAnswer({ did, waited }: PauseAnswer, now: Pause | null, told: OutageFacts): string {
  switch (did) {
    case 'already':
      return now === null ? tell('pause.paused') : tell('pause.already', { by: pausedBy(now, told) })
    case 'resumed':
      if (waited === 0) return tell('pause.resumed')
      return waited === 1 ? tell('pause.resumed_one') : tell('pause.resumed_many', { waited })
    default:
      return tell(`pause.${did}`)
  }
}

/** `since 2026-11-20 12:00, by the terminal`. */
export function pausedBy(
  { since, sink }: Pick<Pause, 'since' | 'sink'>,
  { timezone, chats }: OutageFacts,
): string {
  return tell('pause.since', { since: figuredMoment(since, timezone), chat: chatTitle(sink, chats) })
}

/** The same, with the place that set it, because a pause set at home can be ended only at home. */
export function pauseStands(pause: Pause, told: OutageFacts): string {
  return tell(pause.by === 'home' ? 'pause.at_home' : 'pause.at_edge', { by: pausedBy(pause, told) })
}
