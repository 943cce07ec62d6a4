/**
 * Card shown before the owner grants something in advance (F-13, F-17, F-19): its scope, its duration, and how to
 * revoke it. Kernel words and the addresses. Must be clearly distinct from a single approval. Called by change.ts.
 */

import { leavesOf } from '../../flow/field.ts'
import type {
  CloudGrant,
  CompartmentGrant,
  DisclosureGrant,
  FieldGrant,
  UnaskedGrant,
  WriteGrant,
} from '../../flow/grant.ts'
import type { Json } from '../../flow/json.ts'
import { derive, type Labeled } from '../../flow/labeled.ts'
import type { Contact } from '../../powers/ports.ts'
import type { Template } from '../../template/template.ts'
import type { RegisteredAction } from '../../tool/registry.ts'
import { cardWords } from '../../tool/worded.ts'
import { previewOf } from '../../wording/visible.ts'
import { tell } from '../../wording/words.ts'
import { noteOn } from '../approvals/card/card.ts'

export function writeGrantCard(
  args: Labeled<{ readonly [key: string]: Json }>,
  input: {
    readonly action: RegisteredAction
    readonly grant: WriteGrant
    readonly contacts: readonly Contact[]
  },
): Labeled<string> {
  const { action, grant, contacts } = input
  return derive(args, (values) => {
    const leads = Object.entries(action.args.fields).filter(([, spec]) =>
      leavesOf(spec).some(([, leaf]) => leaf.destination === true),
    )
    const to = leads.flatMap(([name]) =>
      name in values ? [previewOf(name, values[name] ?? null, (address) => noteOn(contacts, address))] : [],
    )
    return tell('grants.write_card', {
      ...{
        what: cardWords(action)?.ask ?? action.description,
        id: action.id,
        args: grant.args.join(', '),
        template: grant.template,
      },
      to: to.length === 0 ? '' : `${tell('grants.write_to', { to: to.join('\n') })}\n`,
      sink: grant.sink.replace(/^sink:/, ''),
      ...lasts(grant),
    })
  })
}

export function disclosureGrantCard(grant: DisclosureGrant): string {
  const { hosts, tool, args, template } = grant
  return tell('grants.disclosure_card', {
    ...{ hosts: hosts.join(' and '), tool, args: args.join(', '), template },
    ...lasts(grant),
  })
}

export function fieldGrantCard({ id, description }: Template, grant: FieldGrant): string {
  const { fields, action, daysAhead: ahead } = grant
  return tell('grants.fields_card', {
    ...{ fields: fields.join(', '), action, template: id, description, ahead },
    ...lasts(grant),
  })
}

export function cloudGrantCard(
  { id: template, description, ceiling }: Template,
  { expiresAt }: CloudGrant,
  clouds: readonly string[],
): string {
  return tell('grants.cloud_card', {
    ...{ level: ceiling.level, template, description, clouds: clouds.join(', ') || 'none' },
    day: dayOf(expiresAt),
  })
}

/** `chat`: the owner's name for the chat's service. `onMessagingService`: whether another company transports it. */
export function compartmentCard(
  { compartment, expiresAt }: CompartmentGrant,
  { chat, onMessagingService }: { readonly chat: string; readonly onMessagingService: boolean },
): string {
  const readers = tell(onMessagingService ? 'grants.compartment_readers' : 'grants.compartment_readers_here')
  return tell('grants.compartment_card', { compartment, chat, readers, day: dayOf(expiresAt) })
}

/** `actions`: the writes that the grant allows, as the place that asks has them. */
export function unaskedGrantCard(
  { id: template, description }: Template,
  grant: UnaskedGrant,
  actions: readonly RegisteredAction[],
): string {
  const what = actions.map((action) => `${cardWords(action)?.ask ?? action.description} (${action.id})`)
  return tell('grants.unasked_card', {
    ...{ what: what.join('\n'), template, description },
    ...lasts(grant),
  })
}

function lasts({ expiresAt, perDay }: Pick<WriteGrant, 'expiresAt' | 'perDay'>) {
  return { day: dayOf(expiresAt), times: perDay }
}

export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
