/**
 * TunnelObject: the edge's end of the one connection that home opens (DESIGN §7, T-01 – T-06, T-11, T-13). Accepted with
 * hibernation; bodies are stored until home acknowledges them; an answer reaches its principal before it is acknowledged. Must not
 * keep a timer, which would prevent hibernation. Called by the Worker and by principals.
 */
import { DurableObject } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/durable-sqlite'
import { migrate } from '../../integrations/store/schema/migrate.ts'
import type { HomeCall, OpenMemory } from '../../kernel/features/places/home-port.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import type { PauseCommand } from '../../kernel/task/pause.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import type { FileAnswer, FileAsk, ModelAsk, ModelResponse } from '../../kernel/tunnel/ask.ts'
import { type FrameOf, parseFrame } from '../../kernel/tunnel/frame.ts'
import { PIECE_WITHIN } from '../../kernel/tunnel/piece.ts'
import type { QueuedMessage } from '../../kernel/tunnel/queued-message.ts'
import type { CodeUse, UnsentNews } from '../../kernel/tunnel/synced.ts'
import type { SecretOffer } from '../../kernel/vault/secret-offer.ts'
import { TUNNEL_MIGRATIONS } from '../../migrations/tunnel.ts'
import { countCalls, createKeptMeter, type KeptMeter } from '../meter.ts'
import { DEVICE_HEADER, KERNEL_NAME, NONCE_HEADER } from '../names.ts'
import { type EdgeEnv, settingsOf } from '../platform/env.ts'
import { errorResponse } from '../platform/errors.ts'
import { createTunnelMemory, createTunnelSync, type TunnelMemory, type TunnelSync } from './calls.ts'
import { createTunnelDeadlines, type TunnelDeadlines } from './deadlines.ts'
import { createTunnelEphemeral, type HomeThere, type TunnelEphemeral, type Unsent } from './ephemeral.ts'
import { createGreeting } from './greeting.ts'
import { createEdgeIdentity, type EdgeIdentity } from './identity.ts'
import { createEffects, createForwarder, createTunnelInbox, type TunnelInbox } from './inbox.ts'
import { createTunnelNews, type TunnelNews } from './news.ts'
import { createTunnelOffers, type TunnelOffers } from './offers.ts'
import { createTunnelOutbox, MOST_SYNC_QUEUED, type TunnelOutbox } from './outbox.ts'
import { createMessageQueue, type KeepWhen, type MessageQueue, type QueueRequest } from './owner-messages.ts'
import { type CachedPresence, createCachedPresence, type PresenceAnswer } from './presence.ts'
import {
  attach,
  attachmentOf,
  CLOSED_REFUSED,
  CLOSED_RETRY,
  closeSocket,
  createHomePresence,
  type HomePresence,
  refuse,
  send,
  type TunnelStatus,
} from './socket.ts'

export class TunnelObject extends DurableObject<EdgeEnv> {
  readonly #outbox: TunnelOutbox
  readonly #meter: KeptMeter
  readonly #memory: TunnelMemory
  readonly #greeting: ReturnType<typeof createGreeting>
  readonly #sync: TunnelSync
  readonly #offers: TunnelOffers
  readonly #words: MessageQueue
  readonly #ephemeral: TunnelEphemeral
  readonly #presence: HomePresence
  readonly #news: TunnelNews
  readonly #vouched: CachedPresence
  readonly #deadlines: TunnelDeadlines
  readonly #inbox: TunnelInbox
  readonly #identity: EdgeIdentity
  /** Frames are handled one after another, though new ones arrive while an effect is awaited. */
  #work: Promise<void> = Promise.resolve()
  /** Set while an unlock is handled: home is then asked to reconnect for what waited. */
  #unlocked = false

  constructor(ctx: DurableObjectState, env: EdgeEnv) {
    super(ctx, env)
    const settings = settingsOf(env)
    if (!settings.ok) throw new Error('the edge is not configured')
    const { sealKey, nameKey, signKey } = settings.value
    this.#news = createTunnelNews({ env, ctx, nameKey })
    this.#meter = createKeptMeter(this, ctx.storage)
    this.#memory = createTunnelMemory(ctx.storage.kv)
    this.#greeting = createGreeting(ctx.storage.kv)
    this.#identity = createEdgeIdentity(signKey)
    const epoch = (): number => this.#memory.epoch()
    this.#presence = createHomePresence({ ctx, epoch })
    const db = drizzle(ctx.storage)
    this.#outbox = createTunnelOutbox({
      ...{ ctx, db, sealKey },
      send: (frame) => {
        const socket = this.#presence.current()
        if (socket !== null && attachmentOf(socket)?.greeted === true) send(socket, frame)
      },
    })
    this.#sync = createTunnelSync({ kv: ctx.storage.kv, outbox: this.#outbox, now: () => Date.now() })
    this.#offers = createTunnelOffers({
      ...{ kv: ctx.storage.kv, outbox: this.#outbox },
      tell: this.#news.expired,
    })
    this.#words = createMessageQueue({
      ...{ kv: ctx.storage.kv, outbox: this.#outbox, memory: this.#memory },
      there: () => this.#there() !== null,
    })
    this.#ephemeral = createTunnelEphemeral({
      ...{ there: () => this.#there(), current: this.#presence.current },
      forwarder: createForwarder(env, nameKey, this.#memory),
      waitUntil: (work) => ctx.waitUntil(work),
      deny: (socket, code) => this.#deny(socket, code),
    })
    this.#vouched = createCachedPresence(this.#presence.timed, (to) => this.#news.moved(to, false))
    this.#deadlines = createTunnelDeadlines({
      ...{ ctx, epoch, outbox: this.#outbox, offers: this.#offers, current: this.#presence.current },
      deny: (socket, code) => this.#deny(socket, code),
    })
    this.#inbox = createTunnelInbox({
      ...{ epoch, outbox: this.#outbox, effect: createEffects({ env, memory: this.#memory, nameKey }) },
      givenUp: (socket) => this.#news.refused(socket, { code: 'frame_gap' }),
      arm: this.#deadlines.arm,
    })
    void ctx.blockConcurrencyWhile(async () => {
      migrate(db, TUNNEL_MIGRATIONS)
      this.#outbox.showOwed()
    })
  }

  /** The WebSocket upgrade. The Worker forwards it after checking the signature and that it was not used before. */
  override async fetch(request: Request): Promise<Response> {
    const now = Date.now()
    this.#memory.prune(now)
    const device = request.headers.get(DEVICE_HEADER) ?? ''
    const homeNonce = request.headers.get(NONCE_HEADER) ?? ''
    const epoch = this.#memory.nextEpoch()
    const hello = this.#hello(epoch)
    const proof = await this.#identity.prove({ homeNonce, device, hello })
    // A newer connection was opened while this one's proof was computed.
    if (epoch !== this.#memory.epoch()) return errorResponse({ code: 'frame_fenced' })
    for (const older of this.ctx.getWebSockets()) this.#deny(older, 'frame_fenced')
    this.#gone()
    const { 0: client, 1: server } = new WebSocketPair()
    this.ctx.acceptWebSocket(server)
    attach(server, {
      epoch,
      device,
      greeted: false,
      since: now,
      drained: null,
      pieceBy: null,
      rtt: null,
      flood: null,
    })
    send(server, { ...hello, proof })
    await this.#deadlines.arm()
    return new Response(null, { status: 101, webSocket: client })
  }

  /** Deadlines for the hello, the next piece, and queued secrets. */
  override async alarm(): Promise<void> {
    await this.#deadlines.rang()
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    const turn = this.#work.then(() => this.#take(socket, message))
    // The chain continues after a failure; home sends again what was not acknowledged.
    this.#work = turn.catch(() => closeSocket(socket, CLOSED_RETRY))
    await this.#work
  }

  override async webSocketClose(socket: WebSocket, code: number): Promise<void> {
    this.#presence.seen()
    if (this.#presence.current() === null || this.#presence.current() === socket) this.#gone()
    closeSocket(socket, code)
  }

  override async webSocketError(socket: WebSocket): Promise<void> {
    closeSocket(socket, CLOSED_RETRY)
    this.#vouched.changed()
  }

  async spent(): Promise<ReturnType<KeptMeter['spent']>> {
    return this.#meter.spent()
  }

  /** Queues a call until home has it. Refusals: frame_malformed, frame_too_large, home_offline (too much waits already). */
  async enqueue(call: HomeCall): Promise<Result<true>> {
    const { id, principal, deadline } = call
    const body = this.#sync.fitting(principal, { type: 'home_call', call })
    if (!body.ok) return body
    if (this.#memory.addCall(id, { principal, deadline })) this.#sync.put(principal, body.value)
    return ok(true)
  }

  /** Home drops duplicates. Refusals: as for calls. */
  async tell(memory: OpenMemory): Promise<Result<true>> {
    return this.#sync.memory(memory)
  }

  /**
   * As `HomeLink.tellTurns`; accepted turns are stored in one write. Refusals: as for a memory, and home_offline when home is
   * away.
   */
  async tellTurns(turns: readonly OpenMemory[], anyway: boolean): Promise<readonly Result<true>[]> {
    if (!anyway && this.#there() === null) return [err('home_offline')]
    return turns.map((turn) => this.#sync.memory(turn))
  }

  /** Queues a pairing code that somebody sent in a chat. Refusals: as for calls, and remote_rate_limited. */
  async tellCode(said: CodeUse): Promise<Result<true>> {
    const counted = this.#sync.guessed(said.principal)
    if (!counted.ok) return counted
    const body = this.#sync.fitting(said.principal, { type: 'link_code', said }, MOST_SYNC_QUEUED)
    if (body.ok) this.#sync.put(said.principal, body.value)
    return body.ok ? ok(true) : body
  }

  /** Queues an owner message for home until `until` (epoch ms; null: nobody waits for it). Refusals: those of `MessageQueue.keep`. */
  async keepSaid(
    kept: QueuedMessage,
    until: number | null,
    when: KeepWhen,
  ): Promise<Result<'said' | 'again'>> {
    return this.#words.keep(kept, until, when)
  }

  /** Number of owner messages that home has not acknowledged, or that were discarded. */
  async keptSaid(ask: QueueRequest): Promise<number> {
    return this.#words.ask(ask)
  }

  /** A question waits on the open line. Sent only if home is connected now; `pfar doctor` shows the question too. */
  async cardWaits(): Promise<void> {
    this.#ephemeral.tell({ type: 'card_waits' })
  }

  /** A message did not reach the owner's chat here. Sent only if home is connected now; the open line shows it anyway. */
  async unsent(news: UnsentNews): Promise<void> {
    this.#ephemeral.tell({ type: 'unsent', unsent: news })
  }

  /** Queues a sealed secret until home has it, or it expires. Refusals: edge_locked, and as for calls. */
  async offer(offer: SecretOffer): Promise<Result<true>> {
    const kept = this.#offers.keep(offer)
    if (kept.ok) await this.#deadlines.arm()
    return kept
  }

  /** Calls one of home's models and waits in memory. Refusals: home_offline, and those of `TunnelAsks.ask`. */
  async askModel(ask: Unsent<ModelAsk>): Promise<Result<ModelResponse>> {
    return this.#ephemeral.askModel(ask)
  }

  async dropModel(id: string): Promise<void> {
    this.#ephemeral.dropModel(id)
  }

  /** Sends a file for home to read; it is stored nowhere. Refusals as for `askModel`. */
  async askFile(ask: Unsent<FileAsk>): Promise<Result<FileAnswer>> {
    return this.#ephemeral.askFile(ask)
  }

  /** Cancels the request; home stops by its own deadline. */
  async dropFile(id: string): Promise<void> {
    this.#ephemeral.dropFile(id)
  }

  /** Closes a revoked device's connection at once. */
  async disconnect(device: string): Promise<void> {
    for (const socket of this.ctx.getWebSockets())
      if (attachmentOf(socket)?.device === device) refuse(socket, 'device_revoked')
    this.#vouched.changed()
  }

  /** While locked nothing leaves the outbox; after an unlock home reconnects for it. */
  async setLocked(locked: boolean): Promise<void> {
    const was = this.#outbox.isLocked()
    this.#outbox.setLocked(locked)
    if (was && !locked && this.#presence.current() !== null) this.#unlocked = true
  }

  /** The pause that was set at the edge: sent at once if home is connected, else in the next hello. */
  async setPause(word: PauseCommand | null): Promise<void> {
    if (this.#greeting.setPause(word)) this.#greetAnew()
  }

  /** Links that the owner ended here, sent in the same way, for home to make final. */
  async setUnlinked(links: readonly string[]): Promise<void> {
    if (this.#greeting.setUnlinked(links)) this.#greetAnew()
  }

  #greetAnew(): void {
    const socket = this.#presence.current()
    if (socket !== null && attachmentOf(socket)?.greeted === true)
      send(socket, this.#hello(this.#memory.epoch()))
  }

  #hello(epoch: number): FrameOf<'hello'> {
    return { ...this.#outbox.channel.hello(epoch), ...this.#greeting.words() }
  }

  /** Whether home counts as online (`isOnline`). `asker`: a principal whose object is told when that changes. */
  async connected(asker?: string): Promise<TunnelStatus & Partial<PresenceAnswer>> {
    const here = this.#there() !== null
    return { ...this.#presence.status(), ...(asker !== undefined && { here, ...this.#vouched.ask(asker) }) }
  }

  /** When home was last connected, epoch milliseconds; the current time if it is connected. */
  async homeSeenAt(): Promise<number> {
    return this.#presence.seenAt()
  }

  /** The connection if it has said hello and missed fewer than three beats: enough for frames that may be lost. */
  #there(): HomeThere | null {
    const socket = this.#presence.current()
    const held = socket === null ? null : attachmentOf(socket)
    const isThere = socket !== null && held?.greeted === true && !this.#outbox.isLocked()
    return isThere && this.#presence.isHeard(socket, held) ? { socket, held } : null
  }

  async #take(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    const held = attachmentOf(socket)
    if (held?.epoch !== this.#memory.epoch()) return this.#deny(socket, 'frame_fenced')
    const parsed = typeof message === 'string' ? parseFrame(message) : err('frame_malformed')
    if (!parsed.ok && parsed.reason.code === 'version_incompatible') this.#news.version(parsed.reason.facts)
    if (!parsed.ok) return this.#deny(socket, parsed.reason.code)
    const frame = parsed.value
    switch (frame.kind) {
      case 'hello':
        return this.#greet(socket, frame)
      case 'data':
        return this.#takeData(socket, held.greeted, frame)
      case 'ack':
        // An acknowledgement deletes from the outbox, and enrolment is checked only at the hello.
        if (!held.greeted) return this.#deny(socket, 'frame_malformed')
        return this.#takeAck(socket, frame.seq)
      case 'ephemeral':
        return this.#ephemeral.take(socket, frame.body)
      case 'refused':
        this.#news.refused(socket, { code: frame.code, by: 'home' })
        return closeSocket(socket, CLOSED_REFUSED)
    }
  }

  /** Refuses a frame, closes the connection, and audits the refusal. */
  #deny(socket: WebSocket, code: ReasonCode): void {
    this.#news.refused(socket, { code })
    refuse(socket, code)
    this.#vouched.changed()
  }

  #gone(): void {
    this.#ephemeral.lost()
    this.#vouched.changed()
  }

  /** Checks the enrolment again: the device may have been revoked while its connection was opened. */
  async #greet(socket: WebSocket, frame: FrameOf<'hello'>): Promise<void> {
    const id = attachmentOf(socket)?.device
    const enrolled = await this.env.KERNEL.getByName(KERNEL_NAME).devices()
    if (!enrolled.some((device) => device.id === id)) return this.#deny(socket, 'device_revoked')
    // Applied before anything is sent from the outbox, so that a paused edge starts no row.
    if (frame.pause !== undefined) await this.env.KERNEL.getByName(KERNEL_NAME).setHomePause(frame.pause)
    this.#greeted(socket, frame)
    await this.env.KERNEL.getByName(KERNEL_NAME).homeGreeted()
  }

  #greeted(socket: WebSocket, frame: FrameOf<'hello'>): void {
    this.#words.expire(Date.now())
    const missing = this.#outbox.greeted(frame)
    this.#words.sent()
    const held = attachmentOf(socket)
    // A second hello requests lost frames; the connection keeps its start time.
    const since = held?.greeted === true ? held.since : Date.now()
    const pieceBy = this.#outbox.holdsPieces() ? Date.now() + PIECE_WITHIN : null
    if (held !== null) attach(socket, { ...held, since, epoch: this.#memory.epoch(), greeted: true, pieceBy })
    // Recorded now: if this edge is restarted during the connection, no socket remains to show it.
    this.#presence.seen()
    void this.#deadlines.arm()
    this.#noteDrained(socket)
    for (const each of missing) send(socket, each)
    // The owner's object has turns queued for home.
    if (held?.greeted !== true) this.#news.moved(OWNER_PRINCIPAL, true)
  }

  #takeAck(socket: WebSocket, seq: number): void {
    this.#outbox.acknowledged(seq)
    this.#words.sent()
    this.#noteDrained(socket)
  }

  /** Once per connection: what is queued later was not missed by home. */
  #noteDrained(socket: WebSocket): void {
    const held = attachmentOf(socket)
    if (held?.greeted !== true || held.drained !== null || !this.#outbox.isEmpty()) return
    attach(socket, { ...held, drained: Date.now() })
  }

  async #takeData(socket: WebSocket, greeted: boolean, frame: FrameOf<'data'>): Promise<void> {
    const taken = await this.#inbox.take(socket, greeted, frame)
    if (!taken.ok) return this.#deny(socket, taken.reason.code)
    if (!taken.value) return
    if (this.#unlocked) closeSocket(socket, CLOSED_RETRY)
    this.#unlocked = false
  }
}

countCalls(TunnelObject)
