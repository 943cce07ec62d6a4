/** List of all local commands (DESIGN §9). What a running home or edge does is an operation, in the other list. Called by program.ts. */

import { CHANNEL } from './channel.ts'
import { DEVICES, PLACES } from './edge.ts'
import { HEALTH } from './health.ts'
import { BACKUP, BRAIN_EDIT, DOCTOR, KEY, RECOVER, SETUP } from './home.ts'
import { HTTP } from './http.ts'
import type { LocalCommand } from './local.ts'
import { MODEL } from './model.ts'
import { SEARCH } from './search.ts'
import { CONNECT, SECRET } from './secret.ts'
import { STATUS, VERIFY } from './status.ts'
import { SAID, TALK } from './talk.ts'

/** In the order of `pfar --help`, before and after the operations. */
export const LOCAL: Readonly<Record<'before' | 'behind', readonly LocalCommand[]>> = Object.freeze({
  before: [TALK, SAID, STATUS, DOCTOR, VERIFY, SETUP],
  behind: [
    BACKUP,
    BRAIN_EDIT,
    KEY,
    PLACES,
    DEVICES,
    SECRET,
    CHANNEL,
    CONNECT,
    HEALTH,
    MODEL,
    SEARCH,
    HTTP,
    RECOVER,
  ],
})
