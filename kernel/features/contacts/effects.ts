/**
 * Declares the kernel effects of contacts like those of memory, so that the same checks apply: names and addresses from elsewhere
 * are raw, so adding them asks on a card with each row. Data only. Joined in powers/effects.ts.
 */
import type { ActionManifest } from '../../tool/manifest.ts'
import { DEGRADE } from '../../tool/manifest.ts'
import { NAME_MAX } from './port.ts'

/** Maximum people on one card; nobody reads a longer card row by row. */
export const MOST_SUGGESTED = 20
/** Maximum people who are examined: as many as there can be contacts. */
export const MOST_CONSIDERED = 2_000

/** Maximum UTF-16 units of a name and an address on a card. */
const CONTACT_MAX = 400

const PEOPLE = {
  kind: 'list',
  max: MOST_SUGGESTED,
  of: {
    kind: 'record',
    fields: {
      name: { kind: 'text', max: NAME_MAX },
      email: { kind: 'email' },
      /** Number of mails sent to this person. */
      sent: { kind: 'number', optional: true },
    },
  },
} as const

/** A model's plan can name one person, not a list. */
const ONE = {
  name: { kind: 'text', max: NAME_MAX, optional: true },
  email: { kind: 'email', optional: true },
  /** Set to give an existing contact another address; without it, a second Tom does not replace the first. */
  change: { kind: 'boolean', optional: true },
} as const

/** Further facts for the card: how many people did not fit, and what could not be read. */
const BESIDES = {
  more: { kind: 'number', optional: true },
  unread: { kind: 'text', max: 200, optional: true },
} as const

const SHARED = {
  compartment: null,
  ceiling: 'sensitive',
  reaches: 'regulated',
  terms: [
    'contact',
    'contacts',
    'kontakt',
    'kontakte',
    'kontakten',
    'address',
    'adresse',
    'tom@example.com',
    '+49 30 901820',
  ],
  offline: { policy: DEGRADE, why: 'home alone has contacts' },
} as const

/** `sink`: the sink of home's memory. */
export function contactActions(sink: string): readonly ActionManifest[] {
  return [
    {
      ...SHARED,
      id: 'contact.new',
      semantics: 'read',
      doing: 'looking_in_memory',
      description: 'Of these people those who are no contacts yet, for contact.add.',
      progress: 'looking at contacts',
      args: { kind: 'record', fields: { people: { ...PEOPLE, max: MOST_CONSIDERED } } },
      output: { kind: 'record', fields: { people: PEOPLE, more: BESIDES.more } },
      sink: null,
    },
    {
      ...SHARED,
      id: 'contact.which',
      semantics: 'read',
      doing: 'looking_in_memory',
      description: 'Whose address contact.add would change.',
      progress: 'looking at contacts',
      args: { kind: 'record', fields: { name: ONE.name, change: ONE.change } },
      output: {
        kind: 'record',
        fields: {
          contact: { kind: 'text', max: CONTACT_MAX, optional: true },
          row: { kind: 'id', optional: true },
        },
      },
      sink: null,
    },
    {
      ...SHARED,
      id: 'contact.add',
      semantics: 'write',
      doing: 'noting',
      description:
        'Add to the contacts: people, or one by name and email. change: a contact of this name gets this email.',
      progress: 'adding contacts',
      card: {
        ask: 'Add these people to your contacts. Their names are what mail or an address book calls them. To leave some out, say "all but 2" or "not Tom".',
        remarks: { contact: 'in your contacts now' },
      },
      remarks: { by: 'contact.which', given: { name: 'name', change: 'change' }, binds: ['row'] },
      args: { kind: 'record', fields: { people: { ...PEOPLE, optional: true }, ...ONE, ...BESIDES } },
      output: {
        kind: 'record',
        fields: {
          ...{ added: { kind: 'number' }, left: { kind: 'number' } },
          changed: { kind: 'number', optional: true },
          ...BESIDES,
        },
      },
      sink,
    },
  ]
}
