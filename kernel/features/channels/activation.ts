/**
 * Activates a chat, from the stored credential to a listening channel (H-13, L-16, L-18, M-28). Runs after each
 * change and takes the next step from stored state, so a restart continues. An activation that ends without the owner
 * keeps nothing. Must not hold a credential. Called by credentials.ts and own-commands.ts, at home only.
 */
import { kernelWords, receive } from '../../flow/provenance.ts'
import type { DeliverPorts } from '../../pipeline/deliver.ts'
import type { OwnerChats, TokenKey } from '../../powers/ports.ts'
import type { StoreOf, TaskStore } from '../../powers/stores.ts'
import type { Approval } from '../../task/approval.ts'
import type { TaskReports } from '../../task/outcome.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { ChannelAdapter } from '../../tool/channel.ts'
import { wordsFor } from '../../wording/words.ts'
import { closeQuestion, tellThere } from '../approvals/close-question.ts'
import { type AskCredentialPorts, askCredential } from '../credentials/ask-credential.ts'
import type { Activating, Activation, ChannelFlow, HomeChannels } from './channel-port.ts'
import { activeText, failedText, lateText, welcomeText } from './channel-words.ts'
import { adapterOf, askProof, codeOf, connectChannel, leaveChannel, provedBy } from './channels.ts'

interface Way {
  readonly powers: DeliverPorts & AskCredentialPorts & TokenKey & StoreOf<TaskStore>
  readonly lane: TaskReports
  readonly home: HomeChannels
  readonly adapter: ChannelAdapter
  readonly sink: string
  readonly now: Activating
  readonly again: () => Promise<void>
  /** Questions whose code is being searched for now. */
  readonly searching: Set<string>
}

function createActivation(
  powers: DeliverPorts & AskCredentialPorts & TokenKey & OwnerChats & StoreOf<TaskStore>,
  lane: TaskReports,
): Activation {
  let turn: Promise<void> = Promise.resolve()
  const searching = new Set<string>()
  const look = (from?: string): Promise<void> => {
    turn = turn
      .catch(() => undefined)
      .then(() => lookOnce(powers, lane, { from, searching, again: () => look() }))
    return turn
  }
  return {
    look,
    late(approval) {
      const adapter = adapterOf(powers, provedBy(approval) ?? '')
      return adapter === null ? null : lateText(adapter)
    },
  }
}

export const CHANNEL_FLOW: ChannelFlow = Object.freeze({
  connect: connectChannel,
  leave: leaveChannel,
  start: createActivation,
})

async function lookOnce(
  powers: DeliverPorts & AskCredentialPorts & TokenKey & OwnerChats & StoreOf<TaskStore>,
  lane: TaskReports,
  { from, ...going }: Pick<Way, 'again' | 'searching'> & { readonly from: string | undefined },
): Promise<void> {
  const home = powers.channels?.home
  const now = home?.activating() ?? null
  if (home === undefined || now === null) return
  const adapter = adapterOf(powers, now.channel)
  const sink = from ?? now.sink ?? powers.adminSinks[0]
  if (adapter === null || sink === undefined) return home.drop(now.channel)
  const way: Way = { powers, lane, home, adapter, sink, now, ...going }
  if (home.isActive(now.channel)) return arrive(way)
  if (now.question === null) return askNext(way)
  const asked = powers.store.loadApproval(now.question)?.approval ?? null
  if (asked?.state !== 'pending' || asked.expiresAt <= powers.now()) return home.drop(now.channel)
  if (provedBy(asked) !== null) search(way, asked)
}

/** The channel listens now. */
async function arrive({ powers, lane, home, adapter, sink, now }: Way): Promise<void> {
  const asked = now.question === null ? null : (powers.store.loadApproval(now.question)?.approval ?? null)
  if (asked?.state === 'pending') closeQuestion(powers, lane, asked, { decision: 'approved' })
  home.note(null)
  const there = home.chat(adapter.name)
  // The owner has just sent the code there and is looking at that chat.
  if (there !== null && there !== sink) await tell(powers, there, welcomeText(adapter))
  const account = await home.account(adapter.name)
  await tell(powers, sink, activeText(adapter, account.ok ? account.value : adapter.title))
}

async function askNext(way: Way): Promise<void> {
  const { powers, home, adapter, sink } = way
  const need = adapter.needs.find(({ service }) => !home.has(service))
  if (need !== undefined) {
    const control = receive('', kernelWords())
    const lacking = { task: null, step: '', why: null, sink, control }
    const asked = await askCredential(powers, need.service, lacking)
    return asked === null ? fail(way, wordsFor('approvals_many')) : put(way, asked)
  }
  const account = await home.account(adapter.name)
  if (!account.ok) return fail(way, home.trouble(account.reason) ?? wordsFor(account.reason.code))
  const asked = await askProof(powers, adapter, { account: account.value, sink })
  await put(way, asked)
  search(way, asked.approval)
}

interface Asked {
  readonly approval: Approval
  readonly text: string
  readonly commit: () => void
}

/** Writes both in one transaction: a question without its activation row would lead to nothing. */
async function put({ powers, home, adapter, sink }: Way, { approval, text, commit }: Asked): Promise<void> {
  powers.store.transaction(() => {
    commit()
    home.note({ channel: adapter.name, question: approval.id, sink })
  })
  await tellThere(powers, approval, text)
}

/** Not awaited: its result is handled like any other change. */
function search({ powers, lane, home, adapter, again, searching }: Way, { id }: Approval): void {
  if (searching.has(id)) return
  searching.add(id)
  const over = async (): Promise<void> => {
    const found = await home.find(adapter.name, codeOf(powers, id))
    if (found.ok && !found.value) return
    const asked = powers.store.loadApproval(id)?.approval
    if (!found.ok && asked?.state === 'pending') {
      closeQuestion(powers, lane, asked, { decision: 'denied', code: found.reason.code })
      const sentence = home.trouble(found.reason) ?? wordsFor(found.reason.code)
      await tellThere(powers, asked, failedText(adapter, sentence))
    }
    await again()
  }
  // Fails only when storage fails; the next tick tries again.
  void over()
    .catch(() => undefined)
    .finally(() => searching.delete(id))
}

async function fail({ powers, home, adapter, sink }: Way, sentence: string): Promise<void> {
  await home.drop(adapter.name)
  await tell(powers, sink, failedText(adapter, sentence))
}

async function tell(powers: DeliverPorts & StoreOf<TaskStore>, sink: string, words: string): Promise<void> {
  await tellThere(powers, { id: 'channel', task: '', sink, principal: OWNER_PRINCIPAL }, words)
}
