/** A link over which the owner has nothing pause. */
import { NEVER_PAUSED, syncOf } from '../../kernel/task/pause.ts'
import type { InboxPowers } from '../../sidecar/tunnel/tunnel-inbox.ts'

export const NO_PAUSE: InboxPowers['pause'] = {
  toSend: () => syncOf(NEVER_PAUSED, 'home', 0),
  receive: () => undefined,
  over: () => Promise.resolve(),
}
