/**
 * The guards of the edge's side of the link, each as a change of exact source text that takes it away, and
 * the tests that must go red without it (T-02, T-04, T-05, T-11). A text that does not stand exactly once in
 * its file stops the control. Must not hold what only makes work cheaper. Called by link-controls.ts.
 */

import { CHAT_GUARDS } from './chat-guards.ts'
import { DEVICE_GUARDS } from './device-guards.ts'
import { DOOR_GUARDS } from './door-guards.ts'
import { FILE_GUARDS } from './file-guards.ts'
import { KEPT_GUARDS } from './kept-guards.ts'
import { LINE_GUARDS } from './line-guards.ts'
import { PLACE_GUARDS } from './owner-guards.ts'
import { PAUSE_GUARDS } from './pause-guards.ts'
import { START_GUARDS } from './start-guards.ts'

/** What is taken away; the file; the text there; what stands in its place; test files, from `test/` on. */
export type LinkGuard = readonly [
  guard: string,
  file: string,
  find: string,
  replace: string,
  ...tests: [string, ...string[]],
]

const ATTACKS = 'worker/link-attacks'
const TUNNEL = 'worker/tunnel'
const PIECES = 'worker/tunnel-pieces'
const DEVICES = 'worker/devices'
const FRAME = 'tunnel/frame'
const PIECE = 'tunnel/piece'
const CHANNEL = 'tunnel/channel'
const PROOF = 'home/edge-proof'

const TUNNEL_TS = 'durable-objects/tunnel/tunnel.ts'
const CALLS_TS = 'durable-objects/tunnel/calls.ts'
const EPHEMERAL_TS = 'durable-objects/tunnel/ephemeral.ts'
const INBOX_TS = 'durable-objects/tunnel/inbox.ts'
const DEADLINES_TS = 'durable-objects/tunnel/deadlines.ts'
const WAITING_TS = 'durable-objects/tunnel/ephemeral.ts'
const LENT = 'worker/lent'
const SOCKET_TS = 'durable-objects/tunnel/socket.ts'
const EFFECTS_TS = 'durable-objects/tunnel/inbox.ts'
const OFFERS_TS = 'durable-objects/tunnel/offers.ts'
const CARRIER_TS = 'durable-objects/tunnel/inbox.ts'
const LINES_TS = 'durable-objects/principal/both-lines.ts'
const HOME_WORK = 'worker/home-work'
const OWNER_CHAT = 'worker/owner-chat'
const HOME_FILES = 'worker/home-files'

/** What a connection may do. */
const CONNECTION: readonly LinkGuard[] = [
  [
    'epoch: of each frame',
    TUNNEL_TS,
    'held?.epoch !== this.#memory.epoch()',
    'held === null',
    ATTACKS,
    TUNNEL,
  ],
  ['epoch: the older hears of it', TUNNEL_TS, "this.#deny(older, 'frame_fenced')", '{}', ATTACKS, TUNNEL],
  [
    'epoch: of two that open at once',
    TUNNEL_TS,
    'if (epoch !== this.#memory.epoch())',
    'if (false)',
    ATTACKS,
    TUNNEL,
  ],
  ['hello in time', DEADLINES_TS, '!held.greeted && now >= held.since + HELLO_WITHIN', 'false', ATTACKS],
  [
    'hello before a body',
    INBOX_TS,
    "greeted ? channel.onData(frame) : 'gap'",
    'channel.onData(frame)',
    TUNNEL,
  ],
  [
    'hello before an acknowledgement',
    TUNNEL_TS,
    'if (!held.greeted) return this.#deny(socket',
    'if (false) return this.#deny(socket',
    ATTACKS,
  ],
  [
    'hello: of who is enrolled still',
    TUNNEL_TS,
    '!enrolled.some((device) => device.id === id)',
    'false',
    DEVICES,
  ],
  ['the next piece in time', DEADLINES_TS, 'held.pieceBy === null || now < held.pieceBy', 'true', ATTACKS],
  ['what stalled is not kept', DEADLINES_TS, '        outbox.dropPieces()\n', '', ATTACKS],
  [
    'a deadline for the next piece after a break',
    TUNNEL_TS,
    'greeted: true, pieceBy })',
    'greeted: true, pieceBy: null })',
    ATTACKS,
    PIECES,
  ],
  ['a flood over sleep', EPHEMERAL_TS, ' ?? held?.flood', '', ATTACKS],
  ['a flood of what may be lost', EPHEMERAL_TS, 'if (!isWithin(held))', 'if (false)', ATTACKS],
  [
    'another version is told to the owner',
    TUNNEL_TS,
    "parsed.reason.code === 'version_incompatible'",
    'false',
    'worker/home-watch',
    ATTACKS,
  ],
  ['refusals leave a line', TUNNEL_TS, '    this.#news.refused(socket, { code })\n', '', ATTACKS],
  [
    'what is told leaves room for calls',
    CALLS_TS,
    "{ type: 'memory', memory }, MOST_SYNC_QUEUED)",
    "{ type: 'memory', memory })",
    TUNNEL,
  ],
  [
    'a locked edge takes no secret',
    OFFERS_TS,
    "if (outbox.isLocked()) return err('edge_locked')",
    '',
    'worker/secrets',
    'worker/lock',
  ],
  [
    'secrets that wait, up to a number',
    OFFERS_TS,
    'if (waiting().length >= MAX_OFFERS)',
    'if (false)',
    'worker/secrets',
  ],
  [
    'revoking closes this device’s alone',
    TUNNEL_TS,
    'attachmentOf(socket)?.device === device',
    'true',
    DEVICES,
  ],
  ['online: all that waited is taken', SOCKET_TS, 'held.drained === null || ', '', TUNNEL],
  ['online: it has held', SOCKET_TS, ' || now - held.drained < STABLE_AFTER', '', TUNNEL],
  ['online: it beats', SOCKET_TS, 'now - Math.max(beat, since) < OFFLINE_AFTER', 'true', TUNNEL],
  [
    'models: nothing before home has greeted',
    TUNNEL_TS,
    'held?.greeted === true && !this',
    'held !== null && !this',
    LENT,
  ],
  ['models: nothing of a locked edge', TUNNEL_TS, ' && !this.#outbox.isLocked()', '', LENT],
  ['models: home asks none here', EPHEMERAL_TS, "  'model_ask',\n", '', LENT],
  ['a question that waits is the edge’s to tell of', EPHEMERAL_TS, "  'card_waits',\n", '', OWNER_CHAT],
  ['an answer that waits is the edge’s to tell of', EPHEMERAL_TS, "  'unsent',\n", '', OWNER_CHAT],
  [
    'work: of what was asked of home',
    CARRIER_TS,
    "principal === null ? err('task_unknown') : ask(principal, ",
    'ask(principal ?? OWNER_PRINCIPAL, ',
    HOME_WORK,
  ],
  ['work: of a home that greeted', CARRIER_TS, 'greeted ? memory', 'String(greeted) ? memory', HOME_WORK],
  [
    'work: not after the answer',
    LINES_TS,
    "if (answered().includes(work.id)) return err('task_already_answering')",
    '',
    HOME_WORK,
  ],
  [
    'work: by the acknowledgement of the owner',
    LINES_TS,
    "if (permission()?.template == null) return err('grant_missing')",
    '',
    HOME_WORK,
  ],
  [
    'work: of the call that is waited for',
    'kernel/features/places/both-lines.ts',
    ' || callId(task, asked.id) !== id',
    '',
    'pipeline/home-work',
  ],
  ['work: in words of a closed list', 'kernel/tunnel/queued-message.ts', 'z.enum(DOINGS)', 'name', FRAME],
  [
    'work: no oftener than a chat takes',
    'integrations/channels/runtime/progress.ts',
    ' || since < LEAST_BETWEEN',
    '',
    'channels/telegram-progress',
  ],
  ['models: an answer to a question', EPHEMERAL_TS, 'models.take(body.told)', 'models', LENT],
  ['models: of its own connection', WAITING_TS, 'waiting.get(told.id)?.epoch === told.epoch && ', '', LENT],
  ['models: a frame within its bound', WAITING_TS, 'bytesOf(frame) > MAX_FRAME_BYTES', 'false', LENT],
  ['models: so many at once', WAITING_TS, 'waiting.size >= most', 'false', LENT, HOME_FILES],
  ['the tunnel does not turn around', EFFECTS_TS, "err('frame_malformed')", 'ok(true)', ATTACKS],
  ['answers go to who asked', EFFECTS_TS, 'if (principal === null) return ok(true)', '', TUNNEL],
  [
    'a backup of the future is one of now',
    EFFECTS_TS,
    'Math.max(0, (at ?? body.at) - body.at)',
    '(at ?? body.at) - body.at',
    'worker/home-watch',
    'worker/clock-skew',
  ],
  [
    'asking twice is asking once',
    'durable-objects/tunnel/calls.ts',
    'if (kv.get(CALL + id) !== undefined) return false',
    '',
    TUNNEL,
  ],
]

const FRAME_TS = 'kernel/tunnel/frame.ts'
const PIECE_TS = 'kernel/tunnel/piece.ts'
const CHANNEL_TS = 'kernel/tunnel/channel.ts'
const PROOF_TS = 'kernel/tunnel/pairing.ts'
const CLAIMS = '[PURPOSE, homeNonce, edgeNonce, device, version, epoch, received, base, last]'
const without = (claim: string): string => CLAIMS.replace(`${claim}, `, '').replace(`, ${claim}]`, ']')
const claimed = (claim: string): LinkGuard => [
  `a proof is of ${claim}`,
  PROOF_TS,
  CLAIMS,
  without(claim),
  PROOF,
]

/** What is said. */
const WORDS: readonly LinkGuard[] = [
  ...['homeNonce', 'edgeNonce', 'device', 'version', 'epoch', 'received', 'base', 'last'].map(claimed),
  ['a frame within its bound', FRAME_TS, 'if (isTooLarge(text))', 'if (false)', FRAME],
  ['a piece within what it says of itself', FRAME_TS, 'if (!piece.ok) return piece', '', PIECE],
  [
    'a lower version is refused',
    FRAME_TS,
    'frame.version !== PROTOCOL_VERSION',
    'frame.version > PROTOCOL_VERSION',
    FRAME,
  ],
  [
    'a higher version is refused',
    FRAME_TS,
    'frame.version !== PROTOCOL_VERSION',
    'frame.version < PROTOCOL_VERSION',
    FRAME,
  ],
  ['numbers begin at one', FRAME_TS, 'z.int().check(z.positive())', 'z.int()', FRAME],
  [
    'a body is measured before it is kept',
    FRAME_TS,
    'return fits ? ok(true)',
    'return true ? ok(true)',
    FRAME,
  ],
  ['nesting is bounded', 'kernel/tunnel/body.ts', 'if (depth < 0) return false', '', FRAME],
  ['no key reaches a prototype', 'kernel/tunnel/body.ts', 'isSafeKey(key) && ', '', FRAME],
  ['names are bounded', 'kernel/tunnel/body.ts', 'z.maxLength(MAX_NAME)', 'z.maxLength(1_000_000)', FRAME],
  ['pieces: of no more than a body has', PIECE_TS, 'of > MAX_PIECES', 'false', PIECE],
  ['pieces: two or more', PIECE_TS, 'of >= 2 && ', '', PIECE],
  ['pieces: each within the total', PIECE_TS, ' && n < of', '', PIECE],
  ['pieces: the one before is there', PIECE_TS, 'before.n !== n - at', 'false', PIECE],
  ['pieces: of one total', PIECE_TS, 'before.of !== of', 'false', PIECE],
  ['pieces: of one body', PIECE_TS, ' || before.sum !== sum', '', PIECE],
  ['pieces: no more bytes than a body has', PIECE_TS, 'bytes > MAX_BODY_BYTES', 'false', PIECE],
  ['pieces: what was announced', PIECE_TS, 'if (sumOf(text) !== sum)', 'if (false)', PIECE],
  [
    'pieces: make a body that is one',
    PIECE_TS,
    'return parseBody(JSON.parse(text))',
    'return ok(JSON.parse(text))',
    PIECE,
  ],
  [
    'pieces: each within a frame',
    PIECE_TS,
    'z.maxLength(PIECE_UNITS)',
    'z.maxLength(9_999_999)',
    PIECE,
    ATTACKS,
  ],
  ['kept pieces: bounded in bytes', CHANNEL_TS, 'bytes > MAX_STORED_BYTES || ', '', PIECE],
  ['kept pieces: bounded in number', CHANNEL_TS, ' || kept.length >= MAX_STORED_PIECES', '', PIECE],
  [
    'kept pieces: none of who breaks the rules',
    CHANNEL_TS,
    "if (why.reason.code !== 'frame_gap') store.dropPieces(Number.MAX_SAFE_INTEGER)",
    '',
    PIECE,
  ],
  [
    'kept pieces: none of a lost state',
    CHANNEL_TS,
    'store.setReceived(Math.min(peer.base, peer.last))\n  store.dropPieces(Number.MAX_SAFE_INTEGER)',
    'store.setReceived(Math.min(peer.base, peer.last))',
    PIECE,
  ],
  ['in order', CHANNEL_TS, "seq === next ? 'deliver'", "seq >= next ? 'deliver'", CHANNEL],
  ['once', CHANNEL_TS, "'duplicate' : 'gap'", "'deliver' : 'gap'", CHANNEL],
  ['no acknowledgement of what was not sent', CHANNEL_TS, 'Math.min(seq, before)', 'seq', CHANNEL],
  [
    'no greeting that has more than there was',
    CHANNEL_TS,
    'peer.received <= last() ? peer.received : 0',
    'peer.received',
    CHANNEL,
  ],
  ['nothing is accepted over a hole', CHANNEL_TS, 'if (seq > received + 1)', 'if (false)', CHANNEL],
  ['an outbox is bounded in number', CHANNEL_TS, 'count >= most.count || ', '', CHANNEL],
  ['an outbox is bounded in bytes', CHANNEL_TS, ' || bytes >= most.bytes', '', CHANNEL],
]

export const LINK_GUARDS: readonly LinkGuard[] = [
  ...DEVICE_GUARDS,
  ...CONNECTION,
  ...WORDS,
  ...KEPT_GUARDS,
  ...PAUSE_GUARDS,
  ...FILE_GUARDS,
  ...PLACE_GUARDS,
  ...CHAT_GUARDS,
  ...START_GUARDS,
  ...LINE_GUARDS,
  ...DOOR_GUARDS,
]
