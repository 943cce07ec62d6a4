/**
 * Owner commands that connect or disconnect an account or a chat (L-11, L-12, H-13). Each puts a question, which is
 * an approval. Must not hold a credential. Called by own-commands.ts.
 */
import { type Labeled, test } from '../../flow/labeled.ts'
import { kernelWords, receive } from '../../flow/provenance.ts'
import type { AskingTime, ChatServices, CredentialDesk, TokenKey, Tools } from '../../powers/ports.ts'
import type { StoreOf, Transactions } from '../../powers/stores.ts'
import type { Task } from '../../task/task.ts'
import { channelSaid, chatTitleOf } from '../../tool/channel.ts'
import { type CredentialNeed, needsOf } from '../../tool/connect.ts'
import { wordsFor } from '../../wording/words.ts'
import type { ChannelFlows, Channels } from '../channels/channel-port.ts'
import { activeAtHome, channelLine, LEFT_AT_HOME, noAdapter } from '../channels/channel-words.ts'
import {
  type AskCredentialPorts,
  askCredential,
  isCarried,
  isConnected,
  openQuestions,
  questionText,
  serviceOf,
} from './ask-credential.ts'
import { alreadyText, connectHelp, onlyAtHomeText } from './credential-words.ts'

/** `/connect`, `/connect google`, `connect google`. */
export const CONNECT =
  /^(?:\/connect(?: +([a-z0-9][a-z0-9_./-]{0,99}))?|connect +([a-z0-9][a-z0-9_./-]{0,99}))$/

/** Asks for the credential of an installed tool, in the chat where the owner typed the command (L-11, L-12). */
export async function connect(
  powers: AskCredentialPorts & Tools,
  task: Task,
  words: Labeled<string>,
): Promise<Labeled<string>> {
  const needs = needsOf(powers.registry)
  const need = needs.find(({ service }) => test(words, (text) => serviceIn(text) === service))
  const state = (service: string): boolean => isConnected(powers, service)
  const chats = powers.channels === undefined ? null : { state, lines: channelLines(powers) }
  const said = need === undefined ? connectHelp(needs, chats) : await askFor(powers, task, need)
  return receive(powers.credentials === undefined ? onlyAtHomeText() : said, kernelWords())
}

async function askFor(powers: AskCredentialPorts & Tools, task: Task, need: CredentialNeed): Promise<string> {
  if (powers.credentials === undefined) return onlyAtHomeText()
  if (isConnected(powers, need.service)) return alreadyText(need)
  const closed = powers.credentials.refusal()
  if (closed !== null) return wordsFor(closed)
  const open = openQuestions(powers).find(
    ({ approval }) => serviceOf(approval) === need.service && approval.sink === task.sink,
  )
  if (open !== undefined) return questionText(powers, need, { id: open.approval.id, why: null })
  const control = receive('', kernelWords())
  const lacking = { task: null, step: '', why: null, sink: task.sink, control }
  const asked = await askCredential(powers, need.service, lacking)
  if (asked === null) return isCarried(powers, task.sink) ? onlyAtHomeText() : wordsFor('approvals_many')
  asked.commit()
  return asked.text
}

/** Ports needed to connect or disconnect a chat. */
export type ChannelPorts = AskCredentialPorts &
  ChatServices &
  Tools &
  TokenKey &
  AskingTime &
  ChannelFlows &
  StoreOf<Transactions>

/** Activates or disconnects a chat of the owner (H-13), named from a closed list. */
export async function channel(
  powers: ChannelPorts,
  task: Task,
  words: Labeled<string>,
): Promise<Labeled<string>> {
  const { chats } = powers
  const names = Object.keys(chats)
  const name = names.find((each) => test(words, (text) => channelSaid(text, chats)?.name === each)) ?? ''
  const on = test(words, (text) => channelSaid(text, chats)?.on === true)
  return receive(await toChannel(powers, task, { name, on }), kernelWords())
}

async function toChannel(
  powers: ChannelPorts,
  task: Task,
  { name, on }: { readonly name: string; readonly on: boolean },
): Promise<string> {
  const { adapters = [], flow } = powers.channels ?? {}
  const adapter = adapters.find((one) => one.name === name)
  if (adapter === undefined) return noAdapter(chatTitleOf(powers.chats, name) ?? name)
  if (flow !== undefined) return (on ? flow.connect : flow.leave)(powers, task, name)
  const [need] = adapter.needs
  if (!on || need === undefined) return LEFT_AT_HOME
  return isToldOf(powers, name) ? activeAtHome(adapter) : askFor(powers, task, need)
}

/** Whether home reported that it has this channel; without a report this place does not know. */
function isToldOf({ credentials }: CredentialDesk, channel: string): boolean {
  return credentials?.has?.(channel) === true
}

function channelLines(powers: CredentialDesk & Channels): readonly string[] {
  const { channels } = powers
  const home = channels?.home
  const active = (name: string): boolean | null =>
    home === undefined ? isToldOf(powers, name) || null : home.isActive(name)
  return (channels?.adapters ?? []).map((adapter) => channelLine(adapter, active(adapter.name)))
}

function serviceIn(words: string): string | null {
  const [, command, phrase] = CONNECT.exec(words.trim().toLowerCase()) ?? []
  return command ?? phrase ?? null
}
