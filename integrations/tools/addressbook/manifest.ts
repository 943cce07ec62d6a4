/**
 * The owner's address books at CardDAV servers and at Google (DESIGN §9): the people in them, with one address each. Read-only;
 * reading makes nobody a contact. Must not contain code. Called by both places' registries and by run.ts.
 */
import type { ToolManifest } from '../../../kernel/tool/manifest.ts'
import { GOOGLE_CONNECT } from '../google-connect.ts'

/** Maximum number of people in one answer; the same as the maximum number of contacts. */
export const MOST_IN_BOOK = 2_000
/** UTF-16 units of the names of accounts that could not be read. */
const UNREAD_MAX = 200

export const ADDRESSBOOK_MANIFEST = Object.freeze<ToolManifest>({
  name: 'addressbook',
  version: '1.0.0',
  ownerOnly: true,
  places: ['home'],
  network: ['people.googleapis.com'],
  credential: 'google',
  connect: GOOGLE_CONNECT,
  actions: [
    {
      id: 'addressbook.list',
      terms: ['contact', 'contacts', 'kontakte', 'address book', 'adressbuch'],
      description: 'People in the address books of the owner, by name; who: a name, or part of an address.',
      capability: 'contacts:read',
      doing: 'looking_in_memory',
      offline: {
        policy: { do: 'refuse' },
        why: 'its result is above what the edge may hold, so it is never asked for from there',
      },
      semantics: 'read',
      ceiling: 'sensitive',
      compartment: null,
      reaches: 'sensitive',
      sink: null,
      args: { kind: 'record', fields: { who: { kind: 'text', max: 80, optional: true } } },
      output: {
        kind: 'record',
        fields: {
          people: {
            kind: 'list',
            max: MOST_IN_BOOK,
            of: {
              kind: 'record',
              fields: {
                /** Name in the address book, if it is a plain name; otherwise derived from the address. */
                name: { kind: 'text', max: 80 },
                email: { kind: 'email' },
              },
            },
          },
          count: { kind: 'number' },
          /** The address books contain more people than were read. */
          more: { kind: 'boolean' },
          unread: { kind: 'text', max: UNREAD_MAX, optional: true },
        },
      },
    },
  ],
})
