/**
 * TunnelObject: the edge's end of the one connection that home opens (DESIGN §7, T-01 – T-06, T-11, T-13). Accepted
 * with hibernation; bodies are kept until home has acknowledged them; an answer is handed to its principal before it
 * is acknowledged. Must not keep a timer, which would prevent hibernation. Called by the Worker and by principals.
 */
import { DurableObject } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/durable-sqlite'
import { migrate } from '../integrations/store/migrate.ts'
import { err, ok, type ReasonFacts, type Result } from '../kernel/flow/verdict.ts'
import type { HomeCall, OpenMemory } from '../kernel/powers/home-port.ts'
import type { ReasonCode } from '../kernel/reasons.ts'
import type { PauseWord } from '../kernel/task/pause.ts'
import type { FileAsk, FileTold } from '../kernel/tunnel/file-ask.ts'
import { type FrameOf, parseFrame } from '../kernel/tunnel/frame.ts'
import type { KeptSaid } from '../kernel/tunnel/kept-said.ts'
import type { ModelAsk, ModelTold } from '../kernel/tunnel/model-ask.ts'
import { PIECE_WITHIN } from '../kernel/tunnel/piece.ts'
import type { SaidCode } from '../kernel/tunnel/told-links.ts'
import type { UnsentNews } from '../kernel/tunnel/unsent-news.ts'
import type { SecretOffer } from '../kernel/vault/secret-offer.ts'
import { TUNNEL_MIGRATIONS } from '../migrations/tunnel.ts'
import { type EdgeEnv, settingsOf } from '../worker/env.ts'
import { errorResponse } from '../worker/errors.ts'
import { createCarrier } from './carrier.ts'
import { createEdgeIdentity, type EdgeIdentity } from './edge-identity.ts'
import { createHomePresence, type HomePresence, type TunnelStatus } from './home-presence.ts'
import { DEVICE_HEADER, KERNEL_NAME, NONCE_HEADER, objectName } from './names.ts'
import type { Unsent } from './tunnel-asks.ts'
import { createTunnelMemory, type TunnelMemory } from './tunnel-calls.ts'
import { createTunnelDeadlines, type TunnelDeadlines } from './tunnel-deadlines.ts'
import { createEffects } from './tunnel-effects.ts'
import { createTunnelEphemeral, type HomeThere, type TunnelEphemeral } from './tunnel-ephemeral.ts'
import { createTunnelInbox, type TunnelInbox } from './tunnel-inbox.ts'
import { createTunnelOffers, type TunnelOffers } from './tunnel-offers.ts'
import { createTunnelOutbox, MOST_TOLD, type TunnelOutbox } from './tunnel-outbox.ts'
import {
  attach,
  attachmentOf,
  CLOSED_REFUSED,
  CLOSED_RETRY,
  closeSocket,
  refuse,
  send,
} from './tunnel-socket.ts'
import { createTunnelTold, type TunnelTold } from './tunnel-told.ts'
import { createTunnelWords, type KeepWhen, type TunnelWords, type WordsAsk } from './tunnel-words.ts'

/** The edge's own word of pausing. */
const PAUSE_WORD = 'pause-word'
/** Ids of links that ended here. */
const UNLINKED = 'unlinked'

export class TunnelObject extends DurableObject<EdgeEnv> {
  readonly #outbox: TunnelOutbox
  readonly #memory: TunnelMemory
  readonly #told: TunnelTold
  readonly #offers: TunnelOffers
  readonly #words: TunnelWords
  readonly #ephemeral: TunnelEphemeral
  readonly #presence: HomePresence
  readonly #deadlines: TunnelDeadlines
  readonly #inbox: TunnelInbox
  readonly #identity: EdgeIdentity
  /** Frames are handled one after another, though the object takes new ones while an effect is awaited. */
  #work: Promise<void> = Promise.resolve()
  /** An unlocking is being taken: home is asked to come back for what was kept meanwhile. */
  #unlocked = false

  constructor(ctx: DurableObjectState, env: EdgeEnv) {
    super(ctx, env)
    const settings = settingsOf(env)
    if (!settings.ok) throw new Error('the edge is not configured')
    const { sealKey, nameKey, signKey } = settings.value
    this.#memory = createTunnelMemory(ctx.storage.kv)
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
    this.#told = createTunnelTold({ kv: ctx.storage.kv, outbox: this.#outbox, now: () => Date.now() })
    this.#offers = createTunnelOffers({
      ...{ storage: ctx.storage, outbox: this.#outbox },
      tell: (offer) => this.#tellExpired(nameKey, offer),
    })
    this.#words = createTunnelWords({
      ...{ storage: ctx.storage, outbox: this.#outbox, memory: this.#memory },
      there: () => this.#there() !== null,
    })
    this.#ephemeral = createTunnelEphemeral({
      ...{ there: () => this.#there(), current: this.#presence.current },
      carry: createCarrier(env, nameKey, this.#memory),
      waitUntil: (work) => ctx.waitUntil(work),
      deny: (socket, code) => this.#deny(socket, code),
    })
    this.#deadlines = createTunnelDeadlines({
      ...{ ctx, epoch, outbox: this.#outbox, offers: this.#offers, current: this.#presence.current },
      deny: (socket, code) => this.#deny(socket, code),
    })
    this.#inbox = createTunnelInbox({
      ...{ epoch, outbox: this.#outbox, effect: createEffects({ env, memory: this.#memory, nameKey }) },
      givenUp: (socket) => this.#note(socket, { code: 'frame_gap' }),
      arm: this.#deadlines.arm,
    })
    void ctx.blockConcurrencyWhile(async () => {
      migrate(db, TUNNEL_MIGRATIONS)
      this.#outbox.showOwed()
    })
  }

  /** The upgrade, forwarded by the Worker after it checked the signature and that it is new. */
  override async fetch(request: Request): Promise<Response> {
    const now = Date.now()
    this.#memory.prune(now)
    const device = request.headers.get(DEVICE_HEADER) ?? ''
    const homeNonce = request.headers.get(NONCE_HEADER) ?? ''
    const epoch = this.#memory.nextEpoch()
    const hello = this.#hello(epoch)
    const proof = await this.#identity.prove({ homeNonce, device, hello })
    // Another connection came while this one's proof was being made.
    if (epoch !== this.#memory.epoch()) return errorResponse({ code: 'frame_fenced' })
    for (const older of this.ctx.getWebSockets()) this.#deny(older, 'frame_fenced')
    this.#ephemeral.lost()
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

  /** The deadlines for hello and for the next piece, and that of the secrets that wait. */
  override async alarm(): Promise<void> {
    await this.#deadlines.rang()
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    const turn = this.#work.then(() => this.#take(socket, message))
    // The chain goes on after a failure; home sends again what was not acknowledged.
    this.#work = turn.catch(() => closeSocket(socket, CLOSED_RETRY))
    await this.#work
  }

  override async webSocketClose(socket: WebSocket, code: number): Promise<void> {
    this.#presence.seen()
    if (this.#presence.current() === null || this.#presence.current() === socket) this.#ephemeral.lost()
    closeSocket(socket, code)
  }

  override async webSocketError(socket: WebSocket): Promise<void> {
    closeSocket(socket, CLOSED_RETRY)
  }

  /** Keeps a call until home has it; returns before home knows of it. Refusals: frame_malformed, frame_too_large, home_offline (too much waits already). */
  async enqueue(call: HomeCall): Promise<Result<true>> {
    const { id, principal, deadline } = call
    const body = this.#told.fitting(principal, { type: 'home_call', call })
    if (!body.ok) return body
    if (this.#memory.addCall(id, { principal, deadline })) this.#told.put(principal, body.value)
    return ok(true)
  }

  /** Keeps what the edge remembers until home has it; home tells second deliveries. Refusals: as for calls. */
  async tell(memory: OpenMemory): Promise<Result<true>> {
    const body = this.#told.fitting(memory.principal, { type: 'memory', memory }, MOST_TOLD)
    if (body.ok) this.#told.put(memory.principal, body.value)
    return body.ok ? ok(true) : body
  }

  /** Keeps a code that was said here until home has it. Refusals: as for calls, and remote_rate_limited. */
  async tellCode(said: SaidCode): Promise<Result<true>> {
    const counted = this.#told.guessed(said.principal)
    if (!counted.ok) return counted
    const body = this.#told.fitting(said.principal, { type: 'link_code', said }, MOST_TOLD)
    if (body.ok) this.#told.put(said.principal, body.value)
    return body.ok ? ok(true) : body
  }

  /** The same of what the owner wrote, in a box for home, which is not to have it after `until` (epoch milliseconds; null for what nobody waits for). Refusals: those of `TunnelWords.keep`. */
  async keepSaid(kept: KeptSaid, until: number | null, when: KeepWhen): Promise<Result<'said' | 'again'>> {
    return this.#words.keep(kept, until, when)
  }

  /** How many of those home has not said that it has, or were thrown away. */
  async keptSaid(ask: WordsAsk): Promise<number> {
    return this.#words.ask(ask)
  }

  /** A question waits on the open line: home hears of it if it is there now, and else he does by `pfar doctor`. */
  async cardWaits(): Promise<void> {
    this.#ephemeral.tell({ type: 'card_waits' })
  }

  /** Something meant for the owner's chat here did not get in: home hears of it if it is there now, and the open line says it anyway. */
  async unsent(news: UnsentNews): Promise<void> {
    this.#ephemeral.tell({ type: 'unsent', unsent: news })
  }

  /** Keeps a secret in its box until home has it, or its time is over. Refusals: edge_locked, and as for calls. */
  async offer(offer: SecretOffer): Promise<Result<true>> {
    const kept = this.#offers.keep(offer)
    if (kept.ok) await this.#deadlines.arm()
    return kept
  }

  /** Asks a model of home's, and waits for it in memory. Refusals: home_offline, and those of `TunnelAsks.ask`. */
  async askModel(ask: Unsent<ModelAsk>): Promise<Result<ModelTold>> {
    return this.#ephemeral.askModel(ask)
  }

  async dropModel(id: string): Promise<void> {
    this.#ephemeral.dropModel(id)
  }

  /** Has home read a file, which stays nowhere. Refusals as of `askModel`. */
  async askFile(ask: Unsent<FileAsk>): Promise<Result<FileTold>> {
    return this.#ephemeral.askFile(ask)
  }

  /** Its text is wanted no more; home ends by itself. */
  async dropFile(id: string): Promise<void> {
    this.#ephemeral.dropFile(id)
  }

  /** A revoked device's connection ends at once. */
  async disconnect(device: string): Promise<void> {
    for (const socket of this.ctx.getWebSockets())
      if (attachmentOf(socket)?.device === device) refuse(socket, 'device_revoked')
  }

  /** While the edge is locked nothing of the outbox leaves; afterwards home comes back for it. */
  async setLocked(locked: boolean): Promise<void> {
    const was = this.#outbox.isLocked()
    this.#outbox.setLocked(locked)
    if (was && !locked && this.#presence.current() !== null) this.#unlocked = true
  }

  /** The edge's own word of pausing: home hears it at once if it is there, and else first of all. */
  async setPause(word: PauseWord | null): Promise<void> {
    const { kv } = this.ctx.storage
    const before = kv.get<PauseWord>(PAUSE_WORD)
    if (word === null || (before?.do === word.do && before.at === word.at)) return
    kv.put(PAUSE_WORD, word)
    this.#greetAnew()
  }

  /** Links that the owner ended here, for home to make it final, heard in the same way. */
  async setUnlinked(links: readonly string[]): Promise<void> {
    const { kv } = this.ctx.storage
    const before = kv.get<readonly string[]>(UNLINKED) ?? []
    kv.put(UNLINKED, links)
    // Told the same again, home need not hear it again: each hello makes it answer.
    if (links.some((id) => !before.includes(id))) this.#greetAnew()
  }

  #greetAnew(): void {
    const socket = this.#presence.current()
    if (socket !== null && attachmentOf(socket)?.greeted === true)
      send(socket, this.#hello(this.#memory.epoch()))
  }

  #hello(epoch: number): FrameOf<'hello'> {
    const kept = this.ctx.storage.kv.get<PauseWord>(PAUSE_WORD) ?? null
    const unlinked = this.ctx.storage.kv.get<readonly string[]>(UNLINKED) ?? []
    const word = kept === null ? null : { do: kept.do, at: kept.at, sink: kept.sink }
    return { ...this.#outbox.channel.hello(epoch), pause: { now: Date.now(), word }, unlinked }
  }

  /** Whether home counts as online (`isOnline`). */
  async connected(): Promise<TunnelStatus> {
    return this.#presence.status()
  }

  /** When home was last connected, epoch milliseconds; now, if it is. */
  async homeSeenAt(): Promise<number> {
    return this.#presence.seenAt()
  }

  /** A home that has greeted and is heard: enough for what need not arrive. */
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
    if (!parsed.ok && parsed.reason.code === 'version_incompatible') this.#tellVersion(parsed.reason.facts)
    if (!parsed.ok) return this.#deny(socket, parsed.reason.code)
    const frame = parsed.value
    switch (frame.kind) {
      case 'hello':
        return this.#greet(socket, frame)
      case 'data':
        return this.#takeData(socket, held.greeted, frame)
      case 'ack':
        // It makes the outbox forget, and who is enrolled is asked at hello alone.
        if (!held.greeted) return this.#deny(socket, 'frame_malformed')
        return this.#takeAck(socket, frame.seq)
      case 'ephemeral':
        return this.#ephemeral.take(socket, frame.body)
      case 'refused':
        this.#note(socket, { code: frame.code, by: 'home' })
        return closeSocket(socket, CLOSED_REFUSED)
    }
  }

  /** Refuses what a device said, hangs up, and leaves a line of it. */
  #deny(socket: WebSocket, code: ReasonCode): void {
    this.#note(socket, { code })
    refuse(socket, code)
  }

  /** Home tells of it on the private line; whoever has the open line alone would only see home stay away (T-11). */
  #tellVersion({ theirs, ours }: ReasonFacts): void {
    const told = this.env.KERNEL.getByName(KERNEL_NAME).homeIncompatible(Number(theirs), Number(ours))
    this.ctx.waitUntil(told.catch(() => undefined))
  }

  /** Not waited for, and a failure is dropped: the refusal holds, whether its line could be written or not. */
  #note(socket: WebSocket, facts: ReasonFacts): void {
    const device = attachmentOf(socket)?.device ?? ''
    const noted = this.env.KERNEL.getByName(KERNEL_NAME).denied('link', { ...facts, device })
    this.ctx.waitUntil(noted.catch(() => undefined))
  }

  /** Asked once more: a device may have been revoked while its connection was being opened. */
  async #greet(socket: WebSocket, frame: FrameOf<'hello'>): Promise<void> {
    const id = attachmentOf(socket)?.device
    const enrolled = await this.env.KERNEL.getByName(KERNEL_NAME).devices()
    if (!enrolled.some((device) => device.id === id)) return this.#deny(socket, 'device_revoked')
    // Before anything of the outbox: no row is begun that he has told it to leave.
    if (frame.pause !== undefined) await this.env.KERNEL.getByName(KERNEL_NAME).pauseHeard(frame.pause)
    this.#greeted(socket, frame)
    await this.env.KERNEL.getByName(KERNEL_NAME).homeGreeted()
  }

  #greeted(socket: WebSocket, frame: FrameOf<'hello'>): void {
    this.#words.expire(Date.now())
    const missing = this.#outbox.greeted(frame)
    this.#words.sent()
    const held = attachmentOf(socket)
    // A second hello asks for what was lost on the way; the connection is as old as it was.
    const since = held?.greeted === true ? held.since : Date.now()
    const pieceBy = this.#outbox.holdsPieces() ? Date.now() + PIECE_WITHIN : null
    if (held !== null) attach(socket, { ...held, since, epoch: this.#memory.epoch(), greeted: true, pieceBy })
    // Where this edge is restarted with home at it, no socket is left that could tell.
    this.#presence.seen()
    void this.#deadlines.arm()
    this.#noteDrained(socket)
    for (const each of missing) send(socket, each)
  }

  #takeAck(socket: WebSocket, seq: number): void {
    this.#outbox.acknowledged(seq)
    this.#words.sent()
    this.#noteDrained(socket)
  }

  /** Once a connection: what is asked later is not what home missed. */
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

  /** On his open line, since he typed it there. */
  async #tellExpired(nameKey: Uint8Array, { id, principal }: Omit<SecretOffer, 'box'>): Promise<boolean> {
    const notice = { id: `secret-expired:${id}`, code: 'secret_expired' } as const
    const object = this.env.PRINCIPALS.getByName(objectName(nameKey, principal))
    return (await object.notify(principal, notice)).ok
  }
}
