/**
 * Owner commands that connect or disconnect an account or a chat (L-11, L-12, H-13). Each asks a question, which is an approval.
 * Must not hold a credential. Called by own-commands.ts.
 */
import { type Labeled, test } from '../../flow/labeled.ts'
import { kernelWords, receive } from '../../flow/provenance.ts'
import type {
  Actions,
  AskingTime,
  ChatServices,
  CredentialService,
  TokenKey,
  Tools,
} from '../../powers/ports.ts'
import type { StoreOf, Transactions } from '../../powers/stores.ts'
import type { Task } from '../../task/task.ts'
import { actionsOf, type CredentialNeed, channelInText, chatTitleOf, needsOf } from '../../tool/channel.ts'
import type { RegisteredAction } from '../../tool/registry.ts'
import { tell, wordsFor } from '../../wording/words.ts'
import { type ChannelFlows, type Channels, rotating } from '../channels/channel-port.ts'
import type { SettingStore } from '../quiet/port.ts'
import { offWords, switchedOff } from '../tools/switched.ts'
import {
  type AskCredentialPorts,
  askCredential,
  connectedTitle,
  isConnected,
  isReadByBothPlaces,
  isRotation,
  namingOf,
  openQuestions,
  questionText,
  serviceOf,
} from './ask-credential.ts'
import { notYetIn, serviceWish } from './service-words.ts'

/** `/connect`, `/connect google`, `connect google`, `how do I connect gmail?`, `wie verbinde ich gmail?`. */
export const CONNECT =
  /^(?:\/connect(?: +([a-z0-9][a-z0-9_./-]{0,99}))?|connect +([a-z0-9][a-z0-9_./-]{0,99})|(?:how (?:do|can|could|would|should) (?:i|you|we) (?:connect|link|hook up|set up)|wie (?:verbinde|verknüpfe|kopple) ich|wie kann ich)(?: to)? +(?:(?:my|the|mein|meine|meinen) +)?([a-z0-9][a-z0-9._-]{0,40}(?: [a-z]{1,20})?)(?: (?:account|konto))?(?: (?:verbinden|verknüpfen))?[?!. ]*)$/

/** Asks for the credential of an installed tool, in the chat where the owner typed the command (L-11, L-12). */
export async function connect(
  powers: AskCredentialPorts & Tools & StoreOf<SettingStore>,
  task: Task,
  words: Labeled<string>,
): Promise<Labeled<string>> {
  const notYet = notYetOf(powers, words)
  if (notYet !== null) return receive(notYet, kernelWords())
  const needs = needsOf(powers.registry)
  const need = needs.find(({ service, title, called = [] }) =>
    test(words, (text) => [service, title.toLowerCase(), ...called].includes(serviceIn(text, needs) ?? '')),
  )
  const state = (service: string): boolean => isConnected(powers, service)
  const titleOf = (one: CredentialNeed): string => connectedTitle(powers, one)
  const chats = powers.channels === undefined ? null : { state, titleOf, lines: channelLines(powers) }
  const rotates = test(words, (text) => serviceWish(text, needs)?.wants === 'rotate')
  const said =
    need === undefined
      ? connectHelp(needs, chats)
      : rotates && isConnected(powers, need.service)
        ? await askAnother(powers, task, need)
        : await askFor(powers, task, need)
  if (powers.credentials === undefined) return receive(tell('credentials.only_at_home'), kernelWords())
  const named = need === undefined ? needs : [need]
  return receive(
    said,
    namingOf(
      powers,
      named.map(({ service }) => service),
      task.sink,
    ),
  )
}

/** The matching sentence of a closed list, so that it contains none of the owner's words. */
function notYetOf({ registry }: Actions, words: Labeled<string>): string | null {
  const all = [...registry.actions.values()].flatMap(({ tool }) => tool.notYet ?? [])
  const says = all.find((one) => test(words, (text) => notYetIn(text, registry) === one))?.says
  if (says === undefined || typeof says === 'string') return says ?? null
  return tell('credentials.at_the_terminal', { command: says.command })
}

async function askFor(
  powers: AskCredentialPorts & Tools & StoreOf<SettingStore>,
  task: Task,
  need: CredentialNeed,
): Promise<string> {
  if (powers.credentials === undefined) return tell('credentials.only_at_home')
  if (switchedOff(powers).includes(need.service) && isConnected(powers, need.service))
    return offWords(need.title)
  if (isConnected(powers, need.service)) return alreadyText(powers, need)
  const closed = powers.credentials.refusal()
  if (closed !== null) return wordsFor(closed)
  const asked = await askHere(powers, task, { need, rotates: false })
  return asked.isNew ? [asked.text, offerText(powers, need)].join('\n') : asked.text
}

/** Asks for another credential of a connected service (L-07); the present one stays until the new one works. */
async function askAnother(powers: AskCredentialPorts & Tools, task: Task, need: CredentialNeed) {
  const { service, title } = need
  const { credentials } = powers
  if (credentials?.replace === undefined || isReadByBothPlaces(powers, task.sink))
    return tell('credentials.rotate', { title, service })
  if (connectedTitle(powers, need) !== title) return alreadyText(powers, need)
  const closed = credentials.refusal()
  if (closed !== null) return wordsFor(closed)
  return (await askHere(powers, task, { need, rotates: true })).text
}

/** Asks in this chat, unless the question is open here already. */
async function askHere(
  powers: AskCredentialPorts,
  { sink }: Task,
  { need, rotates }: { readonly need: CredentialNeed; readonly rotates: boolean },
): Promise<{ readonly text: string; readonly isNew: boolean }> {
  const open = openQuestions(powers).find(
    ({ approval }) =>
      serviceOf(approval) === need.service && approval.sink === sink && isRotation(approval) === rotates,
  )
  if (open !== undefined)
    return {
      text: await questionText(powers, need, { id: open.approval.id, why: null, rotates }),
      isNew: false,
    }
  const control = receive('', kernelWords())
  const lacking = { task: null, step: '', why: null, sink, control, rotates }
  const asked = await askCredential(powers, need.service, lacking)
  if (asked === null) {
    const isClosed = isReadByBothPlaces(powers, sink)
    return { text: isClosed ? tell('credentials.only_at_home') : wordsFor('approvals_many'), isNew: false }
  }
  asked.commit()
  return { text: asked.text, isNew: true }
}

function alreadyText(powers: AskCredentialPorts & Tools, need: CredentialNeed): string {
  const { title, service } = need
  const own = connectedTitle(powers, need)
  if (own === title) return tell('credentials.already', { title, service })
  return tell('credentials.stands_in', {
    title,
    service,
    own: `${own.charAt(0).toUpperCase()}${own.slice(1)}`,
  })
}

/** Says what a service would let the assistant do, and which of it asks first (L-11). */
function offerText(powers: Actions, { service, title }: CredentialNeed): string {
  const said = ({ progress, description }: RegisteredAction): string =>
    (progress ?? description).replace(/[.…]+$/, '')
  const actions = actionsOf(powers.registry, service)
  const reads = actions.filter(({ semantics }) => semantics === 'read').map(said)
  const writes = actions.filter(({ semantics }) => semantics !== 'read').map(said)
  return [
    tell('credentials.offer_reads', { title, what: listed(reads) }),
    ...(writes.length === 0 ? [] : [tell('credentials.offer_writes', { what: listed(writes) })]),
  ].join('\n')
}

/** Maximum abilities that are named; on a phone, nobody reads more of a card. */
const MOST_NAMED = 8

function listed(all: readonly string[]): string {
  const names = [...new Set(all)]
  return names.length <= MOST_NAMED ? names.join('; ') : `${names.slice(0, MOST_NAMED).join('; ')}; …`
}

/** Ports needed to connect or disconnect a chat. */
export type ChannelPorts = AskCredentialPorts &
  ChatServices &
  Tools &
  TokenKey &
  AskingTime &
  ChannelFlows &
  StoreOf<Transactions & SettingStore>

/** Activates or disconnects a chat of the owner (H-13), named from a closed list. */
export async function channel(
  powers: ChannelPorts,
  task: Task,
  words: Labeled<string>,
): Promise<Labeled<string>> {
  const { chats } = powers
  const names = Object.keys(chats)
  const name = names.find((each) => test(words, (text) => channelInText(text, chats)?.name === each)) ?? ''
  const on = test(words, (text) => channelInText(text, chats)?.on === true)
  return receive(await toChannel(powers, task, { name, on }), kernelWords())
}

async function toChannel(
  powers: ChannelPorts,
  task: Task,
  { name, on }: { readonly name: string; readonly on: boolean },
): Promise<string> {
  const { adapters = [], flow } = powers.channels ?? {}
  const adapter = adapters.find((one) => one.name === name)
  if (adapter === undefined)
    return tell('channels.no_adapter', { title: chatTitleOf(powers.chats, name) ?? name })
  if (flow !== undefined) return (on ? flow.connect : flow.leave)(powers, task, name)
  const [need] = adapter.needs
  if (!on || need === undefined) return tell('channels.left_at_home')
  if (!isToldOf(powers, name)) return askFor(powers, task, need)
  const { title } = adapter
  return tell('channels.active_at_home', { title, name, rotate: rotating(adapter) })
}

/** Whether home reported that it has this channel; without a report this place does not know. */
function isToldOf({ credentials }: CredentialService, channel: string): boolean {
  return credentials?.isConnected?.(channel) === true
}

function channelLines(powers: CredentialService & Channels): readonly string[] {
  const { channels } = powers
  const home = channels?.home
  const active = (name: string): boolean | null =>
    home === undefined ? isToldOf(powers, name) || null : home.isActive(name)
  return (channels?.adapters ?? []).map(({ name, title }) => {
    const state = active(name)
    const known = state ? 'channels.line_active' : 'channels.line_not_active'
    return tell(state === null ? 'channels.line' : known, { name, title })
  })
}

/** `chats`: null at a place that has none to offer. */
function connectHelp(
  needs: readonly CredentialNeed[],
  chats: {
    readonly state: (service: string) => boolean
    readonly titleOf: (need: CredentialNeed) => string
    readonly lines: readonly string[]
  } | null,
): string {
  const names = needs.map((need) => {
    const { service } = need
    const title = chats?.titleOf(need) ?? need.title
    const known = chats?.state(service) ? 'credentials.line_connected' : 'credentials.line_not_connected'
    return tell(chats === null ? 'credentials.line' : known, { service, title })
  })
  const lines = [...names, ...(chats?.lines ?? [])]
  return lines.length === 0
    ? tell('credentials.none_needed')
    : [tell('credentials.can_connect'), ...lines].join('\n')
}

/** Help on how to disconnect a service, which must be done at the place that stores its credential. */
export function disconnectHelp(needs: readonly CredentialNeed[], words: Labeled<string>): string {
  const named = needs.filter(({ service }) =>
    test(words, (text) => serviceWish(text, needs)?.service === service),
  )
  const [one] = named
  if (one?.several !== undefined) {
    const ways = one.several.map(({ title, secret }) =>
      tell('credentials.disconnect_account', { title, secret }),
    )
    return [tell('credentials.disconnect_accounts', { title: one.title }), ...ways].join('\n')
  }
  if (one !== undefined) return tell('credentials.disconnect_one', { title: one.title, service: one.service })
  const lines = needs.map(({ title, service }) => tell('credentials.disconnect_line', { title, service }))
  return [tell('credentials.disconnect'), ...lines].join('\n')
}

function serviceIn(words: string, needs: readonly CredentialNeed[]): string | null {
  const wish = serviceWish(words, needs)
  if (wish !== null) return wish.service
  const [, command, phrase, asked] = CONNECT.exec(words.trim().toLowerCase()) ?? []
  return command ?? phrase ?? asked?.replace(/ (?:account|konto|verbinden|verknüpfen)$/, '') ?? null
}
