/**
 * The guards of home's private line (H-10), as rows of link-guards.ts: whose it is, what both ends prove, and how much of it there may be.
 * Must not hold what only makes work cheaper. Called by link-guards.ts.
 */
import type { LinkGuard } from './link-guards.ts'

const APP_TS = 'sidecar/line/app.ts'
const DOOR_TS = 'sidecar/line/door.ts'
const HOME_METHODS_TS = 'sidecar/line/home-methods.ts'
const HOME_SOCKET = 'e2e/home-socket'
const LINE_FLOOD = 'home/line-flood'
const LINE_TOKEN = 'home/line-token'
const LISTEN_TS = 'sidecar/line/listen.ts'

export const LINE_GUARDS: readonly LinkGuard[] = [
  ['socket: its owner’s alone', LISTEN_TS, 'process.umask(0o177)', 'process.umask(0o000)', HOME_SOCKET],
  [
    'socket: a proof that the token can be read',
    DOOR_TS,
    "isProof(proof, proofOf(token, 'client', nonces))",
    'proof.length > 0',
    LINE_TOKEN,
  ],
  [
    'socket: every address but the greeting asks for it',
    APP_TS,
    "if (!door.admits(context.req.header('authorization')))",
    'if (context.req.path === door.constructor.name)',
    LINE_TOKEN,
  ],
  [
    'socket: one greeting a connection',
    DOOR_TS,
    'if (nonces !== null || !success)',
    'if (!success)',
    LINE_TOKEN,
  ],
  [
    'socket: who says nothing is let go',
    LISTEN_TS,
    "    settle('hello_overdue')\n    socket.destroy()\n",
    '',
    LINE_TOKEN,
  ],
  [
    'socket: the terminal asks for home’s proof',
    'sidecar/cli/line/line-connection.ts',
    "if (!isProof(said.data.proof, proofOf(token.value, 'home', nonces))) return notHome()",
    '',
    'home/trusted-path',
  ],
  ['socket: so much at once', LISTEN_TS, ' || client.busy', '', LINE_FLOOD],
  ['socket: so many at once', LISTEN_TS, '  server.maxConnections = MAX_CLIENTS\n', '', LINE_FLOOD],
  [
    'socket: a body of so many bytes',
    APP_TS,
    'checkSize(context, MAX_BODY_BYTES)',
    'checkSize(context, 1e9)',
    HOME_SOCKET,
  ],
  [
    'socket: a slow reader is waited for',
    APP_TS,
    'if (!over) await sse.writeSSE(',
    'if (!over) void sse.writeSSE(',
    LINE_FLOOD,
  ],
  [
    'socket: no parameter says who speaks',
    HOME_METHODS_TS,
    'z.strictObject({ id, text: z.string().check(z.maxLength(MAX_TEXT)) }), async (message)',
    'z.object({ id, text: z.string().check(z.maxLength(MAX_TEXT)) }), async (message)',
    HOME_SOCKET,
  ],
  [
    'socket: whoever speaks is the owner',
    HOME_METHODS_TS,
    "source: { adapter: 'terminal', user: 'local', chat: 'owner', group: false }",
    "source: { adapter: 'terminal', user: message.id, chat: 'owner', group: false }",
    HOME_SOCKET,
  ],
]
