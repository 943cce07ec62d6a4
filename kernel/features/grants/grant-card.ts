/**
 * Card shown before the owner grants something in advance (F-13, F-17, F-19): its scope, its duration, and how to
 * revoke it. Kernel words and the addresses. Must be clearly distinct from a single approval. Called by change.ts.
 */

import { leavesOf } from '../../flow/field.ts'
import type { CloudGrant, DisclosureGrant, FieldGrant, TransportGrant, WriteGrant } from '../../flow/grant.ts'
import type { Json } from '../../flow/json.ts'
import { derive, type Labeled } from '../../flow/labeled.ts'
import type { Contact } from '../../powers/ports.ts'
import type { Template } from '../../template/template.ts'
import type { RegisteredAction } from '../../tool/registry.ts'
import { previewOf } from '../../wording/preview.ts'

const WIDENS =
  'This widens what I may do, so I ask for it in a message of its own. `pfar grants` takes it back.'

export function writeGrantCard(
  args: Labeled<{ readonly [key: string]: Json }>,
  input: {
    readonly action: RegisteredAction
    readonly grant: WriteGrant
    readonly contacts: readonly Contact[]
  },
): Labeled<string> {
  const { action, grant, contacts } = input
  const note = (address: string): string | null => {
    const known = contacts.find(({ email }) => email.toLowerCase() === address.toLowerCase())
    return known === undefined ? null : `${known.name}, a contact of yours`
  }
  return derive(args, (values) => {
    const leads = Object.entries(action.args.fields).filter(([, spec]) =>
      leavesOf(spec).some(([, leaf]) => leaf.destination === true),
    )
    const to = leads.flatMap(([name]) =>
      name in values ? [previewOf(name, values[name] ?? null, note)] : [],
    )
    return [
      `May I always do this without asking? ${action.description} (${action.id})`,
      ...(to.length === 0 ? [] : ['Only to these, or some of them:', ...to]),
      `Only with exactly these details given, whatever they say: ${grant.args.join(', ')}.`,
      `Only in tasks of ${grant.template}, to ${grant.sink.replace(/^sink:/, '')}.`,
      'Never where the text is not all your own words: then I ask as before.',
      lasts(grant),
      WIDENS,
    ].join('\n')
  })
}

export function disclosureGrantCard(grant: DisclosureGrant): string {
  return [
    'May I always tell these services words of yours without asking?',
    `Whom: ${grant.hosts.join(' and ')}, services of others, by ${grant.tool}.`,
    `What: ${grant.args.join(', ')}, each word for word from the message that you ask in, together at most 80 characters.`,
    `Only in tasks of ${grant.template}. Never where your private data, or what others wrote, had a part in it: then I ask as before.`,
    lasts(grant),
    WIDENS,
  ].join('\n')
}

export function fieldGrantCard(template: Template, grant: FieldGrant): string {
  return [
    'May I tell this to whoever asks for it?',
    `What: ${grant.fields.join(', ')} of ${grant.action}, and nothing else of it.`,
    `Whom: the person who asks, in that person’s own chat, under ${template.id}: ${template.description}.`,
    `How far ahead: ${grant.daysAhead} days.`,
    lasts(grant),
    WIDENS,
  ].join('\n')
}

export function cloudGrantCard(
  template: Template,
  { expiresAt }: CloudGrant,
  clouds: readonly string[],
): string {
  return [
    'May models of other companies read private data of yours?',
    `What: everything up to ${template.ceiling.level} that tasks of ${template.id} read: ${template.description}. Never what is regulated, and never a secret.`,
    `Whom: the companies whose models you have set up, now ${clouds.join(', ') || 'none'}. They see it in the clear, and I cannot take it back from them.`,
    `Until ${new Date(expiresAt).toISOString().slice(0, 10)}.`,
    `This widens who may read, so I ask for it in a message of its own. \`pfar models revoke ${template.id}\` takes it back.`,
  ].join('\n')
}

/** `chat`: the owner's name for the chat's service. */
export function bothLinesCard({ template, expiresAt }: TransportGrant, chat: string): string {
  return [
    'May I answer you with private data through your bot at the edge?',
    `What: whatever tasks of ${template} read and say, up to sensitive: mail, calendar, memory. Never what is regulated, and never a secret.`,
    `Whom: ${chat}, and whoever runs your edge or takes it over. They can read what I say to you there. Who takes the edge over can also ask me in your name, whenever he likes, and read what I answer. I cannot take any of it back from them.`,
    'What stays: I write, send and change nothing for anybody there without your yes at home. What I ask you, I ask you at home.',
    `Until ${new Date(expiresAt).toISOString().slice(0, 10)}.`,
    'This widens who may read, so I ask for it in a message of its own. `pfar channel withdraw` takes it back at once.',
  ].join('\n')
}

function lasts({ expiresAt, perDay }: Pick<WriteGrant, 'expiresAt' | 'perDay'>): string {
  return `Until ${new Date(expiresAt).toISOString().slice(0, 10)}, at most ${perDay} times a day.`
}
