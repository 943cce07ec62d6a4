/**
 * Assembles the link to the edge: sealed outbox, inbox, and the client that dials. Must not decide what may cross.
 * Called by doors.ts if an edge is configured.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { EDGE_CHAT } from '../../integrations/channels/index.ts'
import type { FileReaders } from '../../integrations/channels/runtime/files.ts'
import { tryNow } from '../../kernel/features/deliveries/resend.ts'
import { standingGrants } from '../../kernel/features/grants/grants.ts'
import { endedAtEdge } from '../../kernel/features/identities/identity-links.ts'
import { isSettled } from '../../kernel/features/language/language.ts'
import { takeOpenMemory } from '../../kernel/features/memory/open-memory.ts'
import { serveHomeCall } from '../../kernel/features/models/serve.ts'
import { type Looker, serveModelAsk } from '../../kernel/features/models/serve-model.ts'
import { pausedNow } from '../../kernel/features/pause/pause.ts'
import { agreementsOf } from '../../kernel/features/people/agreement-change.ts'
import { standingTransport } from '../../kernel/features/places/both-lines.ts'
import { quietToTell } from '../../kernel/features/quiet/quiet.ts'
import { timesToTell } from '../../kernel/features/reminders/away.ts'
import { templatesOff } from '../../kernel/features/templates/off.ts'
import { ok, type Refusal, type Result } from '../../kernel/flow/verdict.ts'
import type { TextModel } from '../../kernel/inference/provider.ts'
import type { Powers } from '../../kernel/powers/all-powers.ts'
import { audit } from '../../kernel/powers/audit.ts'
import type { Clock, Pausing } from '../../kernel/powers/ports.ts'
import type { GrantStore, StoreOf } from '../../kernel/powers/stores.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import type { Circle, Intake } from '../../kernel/runtime/shell-port.ts'
import { toldOf } from '../../kernel/self/synced-self.ts'
import { applySynced, NEVER_PAUSED, syncOf } from '../../kernel/task/pause.ts'
import { type Picture, pictureIn } from '../../kernel/task/picture.ts'
import type { RemoteModelList } from '../../kernel/tunnel/ask.ts'
import type { ChannelStore } from '../../kernel/tunnel/channel.ts'
import type { Body } from '../../kernel/tunnel/frame.ts'
import { syncedGrants, syncedLinks, syncedPeople } from '../../kernel/tunnel/synced.ts'
import { DEFAULT_LANGUAGE } from '../../kernel/wording/languages.ts'
import type { Foundation } from '../home/foundation.ts'
import type { HomePause } from '../home/pause.ts'
import { randomOfNode } from '../keys/home-keys.ts'
import type { OfferService } from '../secrets/offer-service.ts'
import type { SealingKey } from '../secrets/sealing-key.ts'
import { createCardNews, createUnsentNews } from './edge-news.ts'
import type { Handover } from './handover.ts'
import { openEdgePins } from './pairing.ts'
import { createRemoteMessages } from './remote-messages.ts'
import { sealOutbox } from './sealed-outbox.ts'
import type { TunnelClient } from './tunnel-client.ts'
import { createEdgeFiles } from './tunnel-files.ts'
import type { InboxPowers, TunnelInbox } from './tunnel-inbox.ts'
import { createLender } from './tunnel-models.ts'

interface ConnectionInput extends Pick<Foundation, 'folder' | 'config' | 'key' | 'keys' | 'database'> {
  readonly offers: OfferService
  readonly sealing: SealingKey
  readonly shell: Intake & Circle
  /** Delivers answers to the owner's chat with the edge's bot. */
  readonly handover: Handover
  readonly pause: Pick<HomePause, 'over'>
  /** Runs tasks after a message from that chat was accepted. */
  readonly drive: () => void
  readonly tell: (notice: { readonly id: string; readonly code: ReasonCode }) => void
  readonly onFault: (part: string) => void
  /** Models of home that the edge may use. */
  readonly lent: readonly TextModel[]
  /** Model that describes pictures for the edge; null without one. */
  readonly sees: TextModel | null
  /** Readers for files, both from home's own chat and from the edge's. */
  readonly readers: FileReaders
}

export type EdgeConnection = TunnelClient & {
  readonly lock: (locked: boolean) => Promise<Result<EdgeLockAnswer>>
  /** Reports to the edge that a backup was made at this time (epoch milliseconds). False if there is no connection. */
  readonly beat: (at: number) => boolean
  /** Sends the edge the current description of the assistant. */
  readonly tellSelf: () => void
  /** Sends the edge the current pause state. */
  readonly tellPause: () => void
  /** Sends the edge the identity links after a change. */
  readonly tellLinks: () => void
  /** Sends the edge the grants after a change. */
  readonly tellGrants: () => void
  /** Sends the edge the owner's zone after a change. */
  readonly tellProfile: () => void
  /** Sends the edge the pairing agreements after a change. */
  readonly tellPeople: () => void
}

/** Loaded only if an edge is configured: without one, home needs no WebSocket library. */
export async function connectEdge(
  input: ConnectionInput,
  powers: Powers,
  edge: string,
): Promise<EdgeConnection> {
  const [{ openTunnel }, { createTunnelInbox }] = await Promise.all([
    import('./tunnel-client.ts'),
    import('./tunnel-inbox.ts'),
  ])
  const channel = sealOutbox(input.database.channel, {
    key: input.keys.ring.ownKey('tunnel-outbox'),
    random: randomOfNode,
  })
  const refusedEdge = ({ code, facts }: Refusal): void =>
    audit(powers, 'denial', null, { ...facts, of: 'tunnel', code })
  const { lent, sees } = input
  const looker = sees === null ? null : lookerFor(sees)
  const lentNow = [
    ...lent.map(remoteModel),
    ...(sees === null ? [] : [{ ...remoteModel(sees), sees: true as const }]),
  ]
  const facts = createFacts(powers, { ...input, lent: lentNow })
  const inbox = createTunnelInbox({
    channel,
    lender: createLender({
      serve: async (ask, signal) =>
        pausedNow(powers) === null
          ? serveModelAsk({ powers, lent, sees: looker }, ask, signal)
          : { id: ask.id, epoch: ask.epoch, ok: false, reason: 'home_offline' },
      replayed: (call) => refusedEdge({ code: 'frame_fenced', facts: { call, rule: 'replayed' } }),
    }),
    files: createEdgeFiles({
      readers: input.readers,
      noted: ({ id, ...file }) => audit(powers, 'file_read', null, { asked: 'edge', call: id, ...file }),
      now: powers.now,
    }),
    bothLines: {
      handover: {
        ...input.handover,
        attach(send) {
          input.handover.attach(send)
          tryNow(powers, EDGE_CHAT.sink)
          input.drive()
        },
      },
      ...createRemoteMessages(input, powers),
      cardWaits: createCardNews(powers, () => input.onFault('notice')),
      unsent: createUnsentNews(powers, () => input.onFault('notice')),
    },
    store: powers.store,
    serve: (call) => input.handover.during(call, () => serveHomeCall(powers, call)),
    remember: (memory) => takeOpenMemory(powers, memory),
    takeSecret: input.offers.take,
    takeCode: (said) =>
      (said.as === 'person' ? input.shell.people : input.shell.identities).heardAtEdge(said),
    facts: facts.all,
    unlinked: (ids) => endedAtEdge(powers, ids),
    pause: { ...pauseOf(powers), over: input.pause.over },
    isWrite: (tool) => powers.registry.actions.get(tool)?.semantics !== 'read',
    now: powers.now,
    fault: () => input.onFault('tunnel'),
    lost: refusedEdge,
  })
  const client = openTunnel({
    edge,
    key: input.key,
    pins: openEdgePins(input.folder),
    inbox,
    refusedEdge,
    needsOwner: (code) => input.tell({ id: `link:${code}`, code }),
    now: powers.now,
    random: Math.random,
  })
  return {
    ...client,
    lock: (locked) => lockEdge({ inbox, channel }, locked),
    beat: (at) => inbox.tell({ type: 'backup', at }) > 0,
    tellPause: () => inbox.greet(),
    tellLinks: () => void inbox.tell(facts.links()),
    tellPeople: () => void inbox.tell(facts.people()),
    tellProfile: () => void inbox.tell(facts.profile()),
    tellGrants: () => [facts.grants(), ...facts.bothLines()].forEach(inbox.tell),
    tellSelf: () => void inbox.tell(facts.self()),
  }
}

/** Facts that home sends to the edge at each connection and after a change. */
function createFacts(
  powers: Powers,
  { lent, sealing }: Pick<ConnectionInput, 'sealing'> & { readonly lent: readonly RemoteModelList[] },
) {
  const self = (): Body => ({
    type: 'self',
    self: toldOf(powers.self.current(), { lent, chats: powers.chats }),
  })
  const links = (): Body => ({
    type: 'links',
    links: syncedLinks(powers.store.identityLinks().map(({ link }) => link)),
  })
  const grants = (): Body => ({
    type: 'grants',
    grants: syncedGrants(standingGrants(powers), { templates: openTemplates(powers), now: powers.now() }),
  })
  const people = (): Body => ({
    type: 'people',
    people: [...syncedPeople(agreementsOf(powers), { now: powers.now(), off: templatesOff(powers) })],
    ...(isClosed(powers) && { closed: true }),
  })
  const bothLines = (): readonly Body[] => {
    const template = bothLinesTemplate(powers)
    return template === undefined ? [] : [{ type: 'both_lines', template }]
  }
  // Until home knows the owner's language, the edge uses the language of the first message there.
  const profile = (): Body => {
    const { timezone, language = DEFAULT_LANGUAGE } = powers.profile()
    const quiet = quietToTell(powers)
    const due = timesToTell(powers)
    return {
      ...{ type: 'profile', timezone },
      ...((language !== DEFAULT_LANGUAGE || isSettled(powers)) && { language }),
      ...(quiet !== null && { quiet }),
      ...(due !== null && { due: [...due] }),
    }
  }
  const all = (): readonly Body[] => [
    profile(),
    self(),
    { type: 'seal_key', key: sealing.publicKey },
    links(),
    grants(),
    people(),
    ...bothLines(),
  ]
  return { self, profile, links, grants, people, bothLines, all }
}

function openTemplates(powers: Powers): Powers['templates'] {
  const off = templatesOff(powers)
  return powers.templates.filter(({ id }) => !off.includes(id))
}

/** Whether an unknown sender may ask for nothing in a chat of the edge, which has only the shipped templates. */
function isClosed(powers: Powers): boolean {
  const isTheirs = ({ principalClass, own, triggers }: Powers['templates'][number]): boolean =>
    principalClass === 'third_party' &&
    own !== true &&
    triggers.some((trigger) => Object.hasOwn(powers.chats, trigger.split(':')[1] ?? ''))
  return powers.templates.some(isTheirs) && !openTemplates(powers).some(isTheirs)
}

/** Pause state as the tunnel exchanges it: home sends its own entry; the edge can change only the edge's entry. */
function pauseOf({ pause, now }: Clock & Pausing): Omit<InboxPowers['pause'], 'over'> {
  return {
    toSend: () => syncOf(pause?.read() ?? NEVER_PAUSED, 'home', now()),
    receive(told) {
      const before = pause?.read() ?? NEVER_PAUSED
      const after = applySynced(before, { from: 'edge', synced: told, now: now() })
      if (after !== before) pause?.write(after)
    },
  }
}

/** Template whose tasks home may answer through the edge's bot. Null: withdrawn; undefined: never granted. */
function bothLinesTemplate(powers: Clock & StoreOf<GrantStore>): string | null | undefined {
  const ever = powers.store.grants().some(({ grant }) => grant.kind === 'transport')
  return ever ? (standingTransport(powers)?.template ?? null) : undefined
}

/** Sends the reader id, not the model's name: that is private to the owner, and no prompt of the edge needs it. */
function remoteModel({ reader: { id: name }, window }: TextModel): RemoteModelList {
  return { name, ...(window !== undefined && { window }) }
}

/** Milliseconds: how long the command waits for the acknowledgement, and how often it checks. */
const PATIENCE = 5_000
const LOOK_EVERY = 50

interface EdgeLockAnswer {
  /** False: the edge is not connected and receives the order when it reconnects. */
  readonly done: boolean
}

export async function lockEdge(
  { inbox, channel }: { readonly inbox: Pick<TunnelInbox, 'tell'>; readonly channel: ChannelStore },
  locked: boolean,
): Promise<Result<EdgeLockAnswer>> {
  const seq = inbox.tell({ type: 'lock', locked })
  const waits = (): boolean => channel.out(seq - 1).some((row) => row.seq === seq)
  for (const end = Date.now() + PATIENCE; waits() && Date.now() < end; ) await pause(LOOK_EVERY)
  return ok({ done: !waits() })
}

/** Characters of base64 that contain the signature of every supported type. */
const BEGINNING = 16

export function lookerFor(model: TextModel): Looker {
  return { model, isPicture }
}

function isPicture({ mediaType, data }: Picture): boolean {
  return pictureIn(Buffer.from(data.slice(0, BEGINNING), 'base64')) === mediaType
}
