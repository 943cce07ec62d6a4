/**
 * Allows writes of typed values without a card in the tasks of one template, and ends that: the approval card, and the
 * withdrawal. Must not widen anything: change.ts applies an approval, and call-verdict.ts decides what it covers. Called by the
 * operations of this folder.
 */
import type { UnaskedGrant } from '../../flow/grant.ts'
import { kernelWords, receive } from '../../flow/provenance.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { lookUpAction } from '../../powers/effects.ts'
import type { Actions, AskingTime, ChangeNews, OwnerChats, Templates } from '../../powers/ports.ts'
import type { ApprovalStore, GrantStore, StoreOf } from '../../powers/stores.ts'
import type { Template } from '../../template/template.ts'
import { propose } from '../approvals/change.ts'
import type { DeliverPorts } from '../deliveries/deliver.ts'
import { unaskedGrantCard } from '../grants/grant-card.ts'
import { revokeGrant } from '../grants/grants.ts'
import type { UnaskedPort } from './port.ts'

/** Days that the grant lasts: one that nobody reviewed for a year is assumed forgotten. */
const UNASKED_DAYS = 365
/** Maximum writes a day: bounds what a program in a loop can do. */
const UNASKED_PER_DAY = 20
/** Milliseconds. */
const DAY = 86_400_000

type UnaskedPorts = DeliverPorts &
  Actions &
  ChangeNews &
  Templates &
  OwnerChats &
  AskingTime &
  StoreOf<ApprovalStore & GrantStore>

export function createUnasked(powers: UnaskedPorts): UnaskedPort {
  return {
    async allow(proposer, name) {
      const template = templateNamed(powers, name)
      if (!template.ok) return template
      const { id, unasked = [] } = template.value
      if (standing(powers, id).length > 0) return err('nothing_found', { template: id })
      const createdAt = powers.now()
      const grant: UnaskedGrant = {
        ...{ kind: 'unasked', id: powers.newId(), template: id, tools: [...unasked].sort(), createdAt },
        ...{ perDay: UNASKED_PER_DAY, expiresAt: createdAt + UNASKED_DAYS * DAY, revoked: false },
      }
      const actions = grant.tools.flatMap((tool) => {
        const action = lookUpAction(powers.registry, tool)
        return action.ok ? [action.value] : []
      })
      const card = receive(unaskedGrantCard(template.value, grant, actions), kernelWords())
      return propose(powers, proposer, { kind: 'admin_change', change: { do: 'grant', grant }, card })
    },
    async withdraw(principal, name) {
      const template = templateNamed(powers, name)
      if (!template.ok) return template
      let last: Result<{ readonly grant: string }> = err('grant_missing', { template: template.value.id })
      for (const { id } of standing(powers, template.value.id)) last = revokeGrant(powers, id, principal)
      return last
    },
  }
}

function standing({ store, now }: UnaskedPorts, template: string): readonly UnaskedGrant[] {
  return store
    .grants()
    .flatMap(({ grant }) => (grant.kind === 'unasked' ? [grant] : []))
    .filter((grant) => grant.template === template && !grant.revoked && grant.expiresAt > now())
}

/** The template with this id; without one, the only template with such writes. */
function templateNamed({ templates }: Templates, name: string | null): Result<Template> {
  const able = templates.filter(({ unasked }) => unasked !== undefined && unasked.length > 0)
  const found = name === null && able.length === 1 ? able[0] : able.find(({ id }) => id === name)
  return found === undefined
    ? err('template_none_matches', name === null ? {} : { template: name })
    : ok(found)
}
