/**
 * The only connection between home and edge: a WebSocket that home dials, signed by the device key. Home sends nothing
 * until the edge has proved its pinned key (DESIGN §7, T-01, T-02, T-05, T-06, T-11). Handles beats, back-off and safe
 * mode. Must not read what it carries: the inbox does. Called by edge-connection.ts.
 */
import type { IncomingMessage } from 'node:http'
import WebSocket, { type RawData } from 'ws'
import { err, ok, type Refusal, type Result } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { parsePong } from '../../kernel/tunnel/channel.ts'
import { encodeFrame, type Frame, MAX_FRAME_BYTES, parseFrame } from '../../kernel/tunnel/frame.ts'
import type { DeviceKey } from './device-key.ts'
import { newNonce, signRequest } from './edge-call.ts'
import { checkEdgeProof, type EdgePins } from './pairing.ts'
import type { TunnelInbox } from './tunnel-inbox.ts'
import { retryDelay, startBeats, TUNNEL_TIMING, type TunnelTiming } from './tunnel-timing.ts'

export interface TunnelStatus {
  readonly state: 'up' | 'down'
  /** Why the tunnel is down, if known. */
  readonly trouble: ReasonCode | null
  /** Round trip of the last beat, milliseconds. */
  readonly rtt: number | null
}

export interface TunnelClient {
  status(): TunnelStatus
  /**
   * Closes the connection and dials no more. Running calls get `grace` to store their answers; the edge asks for the
   * rest again after the next start.
   */
  stop(): Promise<void>
}

export interface TunnelOptions {
  /** Origin of the edge, `https://…`, or `http://` on this machine. */
  readonly edge: string
  readonly key: DeviceKey
  readonly pins: EdgePins
  readonly inbox: TunnelInbox
  /** Called on each refusal by the edge or of a frame of the edge; writes an audit row. */
  readonly refusedEdge: (reason: Refusal) => void
  /** Called once for a trouble that only the owner can fix, until the tunnel was up again (T-11). */
  readonly needsOwner: (code: ReasonCode) => void
  /** Epoch milliseconds. */
  readonly now: () => number
  /** In [0, 1). */
  readonly random: () => number
  readonly timing?: TunnelTiming
}

interface State {
  socket: WebSocket | null
  up: boolean
  trouble: ReasonCode | null
  /** The trouble that the owner was last notified of. */
  notified: ReasonCode | null
  rtt: number | null
  attempt: number
  epoch: number
  stopped: boolean
  retry: NodeJS.Timeout | null
}

/** Troubles that only the owner can fix, and is notified of. Two of them may be an attack (T-11). */
const NOTIFIED: ReadonlySet<ReasonCode> = new Set([
  'version_incompatible',
  'version_downgraded',
  'edge_not_pinned',
  'device_revoked',
] as const)

/**
 * Whether an immediate retry would fail again. `signature_invalid` is included: the edge also refuses a device whose
 * clock is wrong.
 */
function needsOwner(trouble: ReasonCode): boolean {
  return NOTIFIED.has(trouble) || trouble === 'signature_invalid'
}

/** Starts dialling at once. */
export function openTunnel(options: TunnelOptions): TunnelClient {
  const { timing = TUNNEL_TIMING, inbox, random } = options
  const state: State = {
    socket: null,
    up: false,
    trouble: null,
    notified: null,
    rtt: null,
    attempt: 0,
    epoch: 0,
    stopped: false,
    retry: null,
  }

  const lost = (openedAt: number): void => {
    inbox.detach()
    state.socket = null
    state.up = false
    if (state.stopped || state.trouble === 'frame_fenced') return
    if (openedAt > 0 && options.now() - openedAt >= timing.stable) state.attempt = 0
    const { trouble } = state
    if (trouble !== null && trouble !== state.notified && NOTIFIED.has(trouble)) {
      state.notified = trouble
      options.needsOwner(trouble)
    }
    const patient = trouble !== null && needsOwner(trouble)
    const wait = patient ? timing.safeMode : retryDelay(state.attempt, timing, random)
    state.attempt += 1
    state.retry = setTimeout(dialAgain, wait)
  }
  const dialAgain = (): void => dial({ ...options, timing }, state, lost)

  dialAgain()
  return {
    status: () => ({
      state: state.up ? 'up' : 'down',
      trouble: state.up ? null : state.trouble,
      rtt: state.rtt,
    }),
    async stop() {
      state.stopped = true
      if (state.retry !== null) clearTimeout(state.retry)
      await Promise.race([
        inbox.settled(),
        new Promise((resolve) => setTimeout(resolve, timing.grace).unref()),
      ])
      state.socket?.close(1001)
      state.socket?.terminate()
    },
  }
}

type Dialling = TunnelOptions & { readonly timing: TunnelTiming }

function dial(options: Dialling, state: State, lost: (openedAt: number) => void): void {
  const { edge, key, now, timing } = options
  const url = `${edge}/tunnel`
  const nonce = newNonce()
  // Higher than that of every earlier connection, also if the clock was set back while home ran.
  state.epoch = Math.max(state.epoch + 1, now())
  const socket = new WebSocket(url.replace(/^http/, 'ws'), {
    headers: signRequest(key, { method: 'GET', url, body: null, now: now(), nonce }),
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
    handshakeTimeout: timing.handshake,
  })
  state.socket = socket
  const link: Link = {
    socket,
    state,
    options,
    nonce,
    proven: false,
    silence: null,
    stopBeats: () => undefined,
  }
  let openedAt = 0
  socket.on('open', () => {
    openedAt = now()
    state.trouble = null
    link.silence = setTimeout(() => hangUp(link, 'hello_overdue'), timing.handshake)
  })
  socket.on('message', (data, isBinary) => receive(link, data, isBinary))
  socket.on('unexpected-response', (_request, response) => {
    state.trouble = troubleOf(response)
    response.destroy()
    socket.terminate()
  })
  // `close` always follows; without a listener an error would end the process.
  socket.on('error', () => {
    if (openedAt === 0) state.trouble ??= 'remote_unavailable'
  })
  socket.on('close', () => {
    link.stopBeats()
    if (link.silence !== null) clearTimeout(link.silence)
    lost(openedAt)
  })
}

interface Link {
  readonly socket: WebSocket
  readonly state: State
  readonly options: Dialling
  /** Nonce of the signature that opened the connection; the edge's proof covers it. */
  readonly nonce: string
  /** Whether the edge has proved its key. Home sends nothing before, not even sequence numbers. */
  proven: boolean
  /** Timer that runs until then. */
  silence: NodeJS.Timeout | null
  stopBeats: () => void
}

function troubleOf(response: IncomingMessage): ReasonCode {
  if (response.statusCode === 401 || response.statusCode === 403) return 'signature_invalid'
  return response.statusCode === 426 ? 'version_incompatible' : 'remote_unavailable'
}

function receive(link: Link, data: RawData, isBinary: boolean): void {
  const { state, options } = link
  const text = isBinary ? null : data.toString()
  if (text !== null && parsePong(text) !== null) return
  const frame = text === null ? err('frame_malformed') : parseFrame(text)
  if (!frame.ok) {
    giveUp(link, versionTrouble(link, frame.reason))
    return
  }
  const known = link.proven ? ok(true) : prove(link, frame.value)
  if (!known.ok) {
    giveUp(link, known.reason)
    return
  }
  const taken = options.inbox.take(frame.value)
  if (taken.next === 'up') {
    state.up = true
    state.notified = null
  }
  if (taken.next === 'refuse') giveUp(link, taken.reason)
  if (taken.next === 'stop') {
    state.trouble = taken.code
    link.socket.close(1000)
  }
}

/** Handles the first frame: the edge's hello with its proof, or its refusal. Then home sends its hello. */
function prove(link: Link, frame: Frame): Result<true> {
  const { socket, state, options, nonce } = link
  // `frame_fenced` ends dialling for good, so it counts only from an edge that has proved its key.
  if (frame.kind === 'refused' && frame.code === 'frame_fenced')
    return err('edge_not_pinned', { why: 'unproven' })
  if (frame.kind === 'refused') return ok(true)
  if (frame.kind !== 'hello') return err('edge_not_pinned', { why: 'silent' })
  const pin = options.pins.pinOf(options.edge)
  const proven = checkEdgeProof({ pin, hello: frame, homeNonce: nonce, device: options.key.id })
  if (!proven.ok) return proven
  if (pin === null || proven.value.version > pin.version) options.pins.pin(proven.value)
  link.proven = true
  if (link.silence !== null) clearTimeout(link.silence)
  link.stopBeats = startBeats(socket, {
    every: options.timing.beat,
    now: options.now,
    onBeat: (ms, owed) => {
      state.rtt = ms
      options.inbox.beat(owed)
    },
    onDead: () => hangUp(link, 'remote_unavailable'),
  })
  options.inbox.attach(
    (out) => socket.send(encodeFrame(out)),
    () => socket.terminate(),
    state.epoch,
  )
  return ok(true)
}

/** A version lower than the edge has proved before is reported as a downgrade: it may be an attack. */
function versionTrouble({ options }: Link, reason: Refusal): Refusal {
  const { theirs } = reason.facts
  const seen = options.pins.pinOf(options.edge)?.version ?? 0
  if (reason.code !== 'version_incompatible' || Number(theirs) >= seen) return reason
  return { code: 'version_downgraded', facts: { theirs: Number(theirs), seen } }
}

function hangUp({ socket, state }: Link, code: ReasonCode): void {
  state.trouble = code
  socket.terminate()
}

/** Sends the edge the reason before closing, so that both sides can report it (T-11). */
function giveUp({ socket, state, options }: Link, reason: Refusal): void {
  if (socket.readyState !== WebSocket.OPEN) return
  state.trouble = reason.code
  options.refusedEdge(reason)
  socket.send(encodeFrame({ kind: 'refused', code: reason.code }))
  socket.close(1002)
}
