/** A link over which the owner has nothing pause. */
import { NEVER_PAUSED, toldBy } from '../../kernel/task/pause.ts'
import type { InboxPowers } from '../../sidecar/tunnel/tunnel-inbox.ts'

export const NO_PAUSE: InboxPowers['pause'] = {
  toSend: () => toldBy(NEVER_PAUSED, 'home', 0),
  receive: () => undefined,
  over: () => Promise.resolve(),
}
