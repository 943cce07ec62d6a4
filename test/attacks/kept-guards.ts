/**
 * The guards of messages that the owner sends to the one bot of both lines while home is away (DESIGN §1), as rows of
 * link-guards.ts: who can read them, that each is answered once, and that their storage ends. Must not hold what only makes
 * work cheaper. Called by link-guards.ts.
 */
import type { LinkGuard } from './link-guards.ts'

const EDGE = 'worker/kept-words'
const HOME = 'home/heard-there'

const WORDS_TS = 'durable-objects/tunnel/owner-messages.ts'
const KEPT_TS = 'durable-objects/principal/home-queue.ts'
const SAID_TS = 'kernel/tunnel/queued-message.ts'
const HEARD_TS = 'sidecar/tunnel/remote-messages.ts'
const LINES_TS = 'durable-objects/principal/both-lines.ts'

export const KEPT_GUARDS: readonly LinkGuard[] = [
  [
    'kept: for home alone to read',
    KEPT_TS,
    'packMessage(said))',
    'packMessage({ ...said, ...kv.put(said.id, said) }))',
    EDGE,
  ],
  [
    'kept: in boxes of a purpose of their own',
    SAID_TS,
    "'pfar/kept-said/1'",
    "'pfar/secret-offer/1'",
    EDGE,
    HOME,
  ],
  [
    'kept: a box is of one message',
    SAID_TS,
    "['kept-said', 1, id, key, at]",
    "['kept-said', 1, key, at]",
    EDGE,
    HOME,
  ],
  ['kept: and of one time', SAID_TS, "['kept-said', 1, id, key, at]", "['kept-said', 1, id, key]", HOME],
  [
    'kept: what is in it is checked',
    SAID_TS,
    'return parsed.success ? ok(parsed.data)',
    'return parsed.success ? ok(parsed.data) : packed ? ok({ ...packed, id } as RemoteMessage)',
    HOME,
  ],
  ['kept: once', WORDS_TS, "if (memory.askedBy(SAID + id) !== null) return ok('again')", '', EDGE],
  ['kept: nothing by a locked edge', WORDS_TS, "if (outbox.isLocked()) return err('edge_locked')", '', EDGE],
  ['kept: so much at once', WORDS_TS, 'waiting().length >= MOST_QUEUED_MESSAGES', 'false', EDGE],
  [
    'kept: thrown away, home never has it',
    WORDS_TS,
    "outbox.replace(one.seq, { type: 'kept_said', kept: { ...one.kept, box: null } })",
    '',
    EDGE,
  ],
  ['kept: what home was sent is home’s', WORDS_TS, "what === 'drop_all' || !one.sent", 'true', EDGE],
  [
    'kept: home does not come too late for it',
    'durable-objects/tunnel/tunnel.ts',
    'this.#words.expire(Date.now())',
    '',
    EDGE,
  ],
  ['kept: he is asked once', KEPT_TS, 'if (question !== null) return until\n', '', EDGE],
  [
    'kept: not before the wait is over',
    KEPT_TS,
    'if (now < askAt(since, knows)) return askAt(since, knows)',
    '',
    EDGE,
  ],
  ['kept: it ends', KEPT_TS, "if (now >= until) return finish(since, 'late')", '', EDGE],
  [
    'kept: not without the acknowledgement of the owner',
    KEPT_TS,
    'if (over !== null) return finish(since, over)',
    '',
    EDGE,
  ],
  [
    'kept: a failure is no reason to answer without home',
    KEPT_TS,
    'await env.KERNEL.getByName(KERNEL_NAME).syncedFor(null)',
    'await env.KERNEL.getByName(KERNEL_NAME).syncedFor(null).catch(() => ({ sealKey: null }))',
    EDGE,
  ],
  [
    'kept: the owner is told of a box that does not open',
    HEARD_TS,
    'await deliverNotice(powers, { id, code, words, sink',
    'void ({ id, code, words, sink',
    HOME,
  ],
  ['kept: nor at home', HEARD_TS, 'if (live === null) return tellInVain(powers)', '', HOME],
  [
    'kept: answered here, home is not asked',
    LINES_TS,
    'return take(kept.isHere())',
    'return take(false)',
    EDGE,
  ],
  [
    'kept: answered here until home is back',
    KEPT_TS,
    'if (wait.since === null) return void kv.delete(WAIT)',
    'if (wait.since === null) return',
    EDGE,
  ],
  [
    'kept: nothing with what is being ended',
    KEPT_TS,
    'load().over !== null || until <= powers.now()',
    'until < 0',
    EDGE,
  ],
  [
    'kept: not for a home that is away, if the owner chose the edge',
    WORDS_TS,
    "when === 'there' && !sent",
    'false',
    EDGE,
  ],
  ['kept: he is not asked about what home has', KEPT_TS, '    await renew()\n', '', EDGE],
  [
    'kept: a yes counts before the owner is told of it',
    KEPT_TS,
    '    kv.put(WAIT, { ...load(), here: true })\n',
    '',
    EDGE,
  ],
  ['kept: stop ends what had gone out', LINES_TS, 'if (stops) kept.stop()', '', EDGE],
  [
    'kept: another absence is another question',
    KEPT_TS,
    'wait.question === ASKED && ',
    'wait.question === "" + Date.now() && ',
    EDGE,
  ],
]
