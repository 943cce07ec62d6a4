/**
 * Adds web services by a card: home parses what was typed, shows it whole, and adds it once the owner approves. Must not call any
 * service or see a key. Called by the operations of this folder.
 */
import { ownerWords, receive } from '../../flow/provenance.ts'
import { err, type Result } from '../../flow/verdict.ts'
import type { AskingTime, OwnerChats } from '../../powers/ports.ts'
import type { ApprovalStore, StoreOf } from '../../powers/stores.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import { tell } from '../../wording/words.ts'
import { propose } from '../approvals/change.ts'
import type { Proposed } from '../approvals/port.ts'
import type { DeliverPorts } from '../deliveries/deliver.ts'
import type { Naming, Webservice, WebserviceKeeper, Webservices, WebservicesPort } from './port.ts'

type WebservicePorts = DeliverPorts & OwnerChats & AskingTime & Webservices & StoreOf<ApprovalStore>

export function createWebservices(powers: WebservicePorts): WebservicesPort {
  const put = async (
    naming: Naming,
    read: (keeper: WebserviceKeeper) => Result<Webservice> | Promise<Result<Webservice>>,
  ): Promise<Result<Proposed>> => {
    const keeper = powers.webservices
    const found = keeper === undefined ? err('tool_unavailable') : await read(keeper)
    if (keeper === undefined || !found.ok) return found.ok ? err('tool_unavailable') : found
    const { door, ...proposer } = naming
    // Others may read a chat, take it over, or have a model write there; so the owner's own network is opened only at the
    // terminal.
    if (door !== 'terminal' && keeper.isOwn(found.value)) return err('address_private')
    const { kind, id } = found.value
    const digest = await keeper.hold(found.value)
    const former = keeper.named().find((one) => one.id === id)
    const card = receive(cardOf(found.value, former), ownerWords(proposer.sink ?? '', 'sensitive'))
    const change = { do: 'webservice', of: kind, id, digest } as const
    const asked = await propose(powers, proposer, { kind: 'admin_change', change, card })
    if (!asked.ok) keeper.settle(digest, false)
    return asked
  }
  return {
    list: () => powers.webservices?.named() ?? [],
    allow: (naming, typed) => put(naming, (keeper) => keeper.readHost(typed)),
    save: (naming, typed) => put(naming, (keeper) => keeper.readRequest(typed)),
    restore: (naming, id) =>
      put(naming, async (keeper) => {
        const former = await keeper.former(id)
        return former === null ? err('nothing_found') : { ok: true, value: former }
      }),
    remove(principal, what) {
      if (principal !== OWNER_PRINCIPAL) return err('approval_wrong_principal')
      return powers.webservices?.remove(what) ?? err('tool_unavailable')
    },
  }
}

/** `former`: the entry that has this name now. */
function cardOf({ kind, name, address, label, key, fields }: Webservice, former?: Webservice): string {
  const reads = tell(`webservices.label_${label === 'public' || label === 'internal' ? label : 'sensitive'}`)
  if (kind === 'request')
    return [
      tell('webservices.card_request', { name, address }),
      ...insteadOf(former),
      ...(fields.length === 0
        ? [tell('webservices.card_whole')]
        : [tell('webservices.card_fields'), ...fields.map((field) => `- ${field}`)]),
      reads,
    ].join('\n')
  return [
    tell('webservices.card_host', { address }),
    ...insteadOf(former),
    reads,
    ...(key === null ? [] : [tell('webservices.card_key', { address, form: keyWords(key) })]),
  ].join('\n')
}

/** Lines about the entry that an approval would replace. */
function insteadOf(former: Webservice | undefined): readonly string[] {
  if (former === undefined) return []
  const { kind, address, label, key, fields } = former
  const what = kind === 'request' ? `GET ${address}` : address
  const form = key === null ? [] : [keyWords(key)]
  return [tell('webservices.card_instead', { what: [what, label, ...form, ...fields].join(', ') })]
}

/** The header in which a key is sent, in words. */
export function keyWords(key: string): string {
  if (key === 'bearer') return tell('webservices.key_bearer')
  return key === 'basic' ? tell('webservices.key_basic') : tell('webservices.key_header', { header: key })
}
