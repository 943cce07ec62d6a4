/**
 * The only connection between home and edge: home dials out, one WebSocket, signed by the device key (DESIGN §7,
 * T-01, T-02, T-05, T-06, T-11). Keeps it up: beats, back-off, safe mode. Must not read what travels through it: the
 * inbox does. Called by runtime.ts.
 */
import type { IncomingMessage } from 'node:http'
import WebSocket, { type RawData } from 'ws'
import type { ReasonCode } from '../kernel/flow/verdict.ts'
import { encodeFrame, MAX_FRAME_BYTES, parseFrame } from '../kernel/tunnel/frame.ts'
import type { DeviceKey } from './device-key.ts'
import { signRequest } from './request-signature.ts'
import type { TunnelInbox } from './tunnel-inbox.ts'

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

/** Milliseconds. */
export interface TunnelTiming {
  readonly beat: number
  readonly firstRetry: number
  readonly maxRetry: number
  /** Up this long, the next loss is a new one and starts at `firstRetry` again. */
  readonly stable: number
  readonly handshake: number
  /** For running calls when home stops. */
  readonly grace: number
  /** Between attempts when the edge speaks another version or does not know this device. */
  readonly safeMode: number
}

export const TUNNEL_TIMING: TunnelTiming = Object.freeze({
  beat: 20_000,
  firstRetry: 500,
  maxRetry: 30_000,
  stable: 10_000,
  handshake: 10_000,
  grace: 3_000,
  safeMode: 300_000,
})

/** Milliseconds between two reports of the round trip: each one wakes the edge, which sleeps through beats. */
const RTT_REPORT_EVERY = 900_000
/** Beats without an answer before the connection counts as dead (T-06). */
const MAX_MISSED_BEATS = 3

export interface TunnelOptions {
  /** Origin of the edge, `https://…`, or `http://` on this machine. */
  readonly edge: string
  readonly key: DeviceKey
  readonly inbox: TunnelInbox
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
  rtt: number | null
  attempt: number
  epoch: number
  stopped: boolean
  retry: NodeJS.Timeout | null
}

/** Milliseconds before attempt `attempt` (0 is the first retry): doubling, capped, half of it random. */
export function retryDelay(attempt: number, timing: TunnelTiming, random: () => number): number {
  const full = Math.min(timing.maxRetry, timing.firstRetry * 2 ** Math.min(attempt, 16))
  return full / 2 + (full / 2) * random()
}

/** Starts dialling at once. */
export function openTunnel(options: TunnelOptions): TunnelClient {
  const { timing = TUNNEL_TIMING, inbox, random } = options
  const state: State = {
    socket: null,
    up: false,
    trouble: null,
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
    const patient = state.trouble === 'version_incompatible' || state.trouble === 'signature_invalid'
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
  const { edge, key, now, inbox, timing } = options
  const url = `${edge}/tunnel`
  // Newer than every connection before it, also when the clock was set back while home ran.
  state.epoch = Math.max(state.epoch + 1, now())
  state.trouble = null
  const socket = new WebSocket(url.replace(/^http/, 'ws'), {
    headers: signRequest(key, { method: 'GET', url, body: null, now: now() }),
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
    handshakeTimeout: timing.handshake,
  })
  state.socket = socket
  let openedAt = 0
  let stopBeats: () => void = () => undefined
  socket.on('open', () => {
    openedAt = now()
    stopBeats = startBeats(socket, state, { every: timing.beat, now })
    inbox.attach(
      (frame) => socket.send(encodeFrame(frame)),
      () => socket.terminate(),
      state.epoch,
    )
  })
  socket.on('message', (data, isBinary) => receive({ socket, state, inbox }, data, isBinary))
  socket.on('unexpected-response', (_request, response) => {
    state.trouble = troubleOf(response)
    response.destroy()
    socket.terminate()
  })
  // `close` always follows; without a listener an error would end the process.
  socket.on('error', () => undefined)
  socket.on('close', () => {
    stopBeats()
    lost(openedAt)
  })
}

function troubleOf(response: IncomingMessage): ReasonCode {
  if (response.statusCode === 401 || response.statusCode === 403) return 'signature_invalid'
  return response.statusCode === 426 ? 'version_incompatible' : 'remote_unavailable'
}

/** An unanswered connection may look open for hours: beats find it out. Returns the way to stop. */
function startBeats(
  socket: WebSocket,
  state: State,
  { every, now }: { readonly every: number; readonly now: () => number },
): () => void {
  let missed = 0
  let sentAt = 0
  let reportedAt = 0
  const timer = setInterval(() => {
    if (missed >= MAX_MISSED_BEATS) {
      state.trouble = 'remote_unavailable'
      socket.terminate()
      return
    }
    missed += 1
    sentAt = now()
    socket.send('ping')
  }, every)
  socket.on('message', (data, isBinary) => {
    if (isBinary || data.toString() !== 'pong') return
    missed = 0
    const ms = now() - sentAt
    state.rtt = ms
    if (now() - reportedAt < RTT_REPORT_EVERY) return
    reportedAt = now()
    socket.send(encodeFrame({ kind: 'ephemeral', body: { type: 'rtt', ms } }))
  })
  return () => clearInterval(timer)
}

interface Receiving {
  readonly socket: WebSocket
  readonly state: State
  readonly inbox: TunnelInbox
}

function receive({ socket, state, inbox }: Receiving, data: RawData, isBinary: boolean): void {
  const text = isBinary ? null : data.toString()
  if (text === 'pong') return
  const frame = text === null ? null : parseFrame(text)
  if (frame === null || !frame.ok) {
    giveUp(socket, state, frame === null ? 'frame_malformed' : frame.reason.code)
    return
  }
  const taken = inbox.take(frame.value)
  if (taken.next === 'up') state.up = true
  if (taken.next === 'stop') {
    state.trouble = taken.code
    socket.close(1000)
  }
}

/** Tells the edge why before it hangs up, so that both sides can say it (T-11). */
function giveUp(socket: WebSocket, state: State, code: ReasonCode): void {
  state.trouble = code
  socket.send(encodeFrame({ kind: 'refused', code }))
  socket.close(1002)
}
