/**
 * The only connection between home and edge: home dials out, one WebSocket, signed by the device key, and says nothing
 * before the edge has proved itself with the key that home pinned (DESIGN §7, T-01, T-02, T-05, T-06, T-11). Keeps it
 * up: beats, back-off, safe mode. Must not read what travels through it: the inbox does. Called by runtime.ts.
 */
import type { IncomingMessage } from 'node:http'
import WebSocket, { type RawData } from 'ws'
import { err, ok, type Refusal, type Result } from '../kernel/flow/verdict.ts'
import type { ReasonCode } from '../kernel/reasons.ts'
import { parsePong } from '../kernel/tunnel/beat.ts'
import { encodeFrame, type Frame, MAX_FRAME_BYTES, parseFrame } from '../kernel/tunnel/frame.ts'
import type { DeviceKey } from './device-key.ts'
import { checkEdgeProof, type EdgePins } from './edge-pins.ts'
import { newNonce, signRequest } from './request-signature.ts'
import { startBeats } from './tunnel-beats.ts'
import type { TunnelInbox } from './tunnel-inbox.ts'
import { retryDelay, TUNNEL_TIMING, type TunnelTiming } from './tunnel-timing.ts'

export interface TunnelStatus {
  readonly state: 'up' | 'down'
  /** Why it is down, as far as is known. */
  readonly trouble: ReasonCode | null
  /** Round trip of the last beat, milliseconds. */
  readonly rtt: number | null
}

export interface TunnelClient {
  status(): TunnelStatus
  /**
   * Closes the connection and opens no other. Running calls get a moment to put their answers away; one that takes
   * longer is asked for again by the edge after the next start.
   */
  stop(): Promise<void>
}

export interface TunnelOptions {
  /** Origin of the edge, `https://…`, or `http://` on this machine. */
  readonly edge: string
  readonly key: DeviceKey
  readonly pins: EdgePins
  readonly inbox: TunnelInbox
  /** Told of each refusal of the edge or of what it said: a line of the audit. */
  readonly refusedEdge: (reason: Refusal) => void
  /** Told once of a trouble that only the owner can end, until the tunnel was up again (T-11). */
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
  /** The trouble that the owner was told of. */
  told: ReasonCode | null
  rtt: number | null
  attempt: number
  epoch: number
  stopped: boolean
  retry: NodeJS.Timeout | null
}

/** Troubles that only the owner can end, and that he is told of: two of them may be a trick (T-11). */
const TOLD_TO_OWNER: ReadonlySet<ReasonCode> = new Set([
  'version_incompatible',
  'version_downgraded',
  'edge_not_pinned',
  'device_revoked',
] as const)

/** Whether another attempt in a second would only repeat it. A knock is refused to a clock that is wrong, too. */
function needsOwner(trouble: ReasonCode): boolean {
  return TOLD_TO_OWNER.has(trouble) || trouble === 'signature_invalid'
}

/** Starts dialling at once. */
export function openTunnel(options: TunnelOptions): TunnelClient {
  const { timing = TUNNEL_TIMING, inbox, random } = options
  const state: State = {
    socket: null,
    up: false,
    trouble: null,
    told: null,
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
    if (trouble !== null && trouble !== state.told && TOLD_TO_OWNER.has(trouble)) {
      state.told = trouble
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
  // Newer than every connection before it, also when the clock was set back while home ran.
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

/** One connection. */
interface Link {
  readonly socket: WebSocket
  readonly state: State
  readonly options: Dialling
  /** Of the signature that opened it: the edge signs it too. */
  readonly nonce: string
  /** Whether the edge has proved itself: nothing of home's leaves before, not even its numbers. */
  proven: boolean
  /** Runs until it has. */
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
    state.told = null
  }
  if (taken.next === 'refuse') giveUp(link, taken.reason)
  if (taken.next === 'stop') {
    state.trouble = taken.code
    link.socket.close(1000)
  }
}

/** The first frame: the edge's hello with its proof, or its word that it will not talk. Then home greets too. */
function prove(link: Link, frame: Frame): Result<true> {
  const { socket, state, options, nonce } = link
  // "Another connection took over" ends the dialling, so it counts only from the edge that was pinned.
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

/** An edge that speaks less than it did is told apart from one that speaks another version: it may be a trick. */
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

/** Tells the edge why before it hangs up, so that both sides can say it (T-11). */
function giveUp({ socket, state, options }: Link, reason: Refusal): void {
  if (socket.readyState !== WebSocket.OPEN) return
  state.trouble = reason.code
  options.refusedEdge(reason)
  socket.send(encodeFrame({ kind: 'refused', code: reason.code }))
  socket.close(1002)
}
