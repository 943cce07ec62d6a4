/** What the owner is told of a pause. Words only. Called by pipeline/own-commands.ts, by `status` and by `doctor`. */
import type { Pause, PauseSaid } from '../task/pause.ts'
import { CHANNEL_TITLES } from '../tool/channel.ts'
import { localMoment } from './output.ts'

const ALONE = 'Nothing runs until you say /resume; what comes meanwhile is kept.'

export function pauseAnswer({ did, waited }: PauseSaid, now: Pause | null, timezone: string): string {
  switch (did) {
    case 'paused':
      return `I pause. ${ALONE}`
    case 'already':
      return now === null ? `I pause. ${ALONE}` : `I pause already, ${pausedBy(now, timezone)}. ${ALONE}`
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

/** `since 2026-11-20 12:00, by Telegram`. */
export function pausedBy({ since, sink }: Pick<Pause, 'since' | 'sink'>, timezone: string): string {
  return `since ${localMoment(since, timezone)}, by ${chatOf(sink)}`
}

/** The same with whose word it is: home's is ended at home alone. */
export function pauseStands(pause: Pause, timezone: string): string {
  return `${pausedBy(pause, timezone)}, ${pause.by === 'home' ? 'at home' : 'at the edge'}`
}

const OWN_CHATS: Readonly<Record<string, string>> = { terminal: 'the terminal', openline: 'the open line' }

function chatOf(sink: string): string {
  const [, adapter = ''] = sink.split(':')
  return OWN_CHATS[adapter] ?? CHANNEL_TITLES[adapter] ?? adapter
}
