/**
 * The operation ports that only operations of home use. The edge's bundle has `home-ports-none.ts`
 * in its place (`#home-ports` in package.json). Must not decide anything. Called by kernel-ports.ts.
 */
import { proposeFields } from '../features/approvals/change.ts'
import { createContacts } from '../features/contacts/contacts.ts'
import { createDirectiveService } from '../features/directives/directive-service.ts'
import { grantsOf, revokeGrant } from '../features/grants/grants.ts'
import { createCompartments } from '../features/health/chat-consent.ts'
import { choreViews } from '../features/housekeeping/chores.ts'
import { createIdentityLinks } from '../features/identities/identity-links.ts'
import { createLanguagePort } from '../features/language/language.ts'
import { createChoice } from '../features/models/choice-port.ts'
import { proposeCloud } from '../features/models/cloud-consent.ts'
import { createPeople } from '../features/people/people.ts'
import { createSharedTimes } from '../features/reminders/away.ts'
import { createScheduled } from '../features/scheduled/waiting.ts'
import { createUnasked } from '../features/templates/unasked.ts'
import { templateView } from '../features/templates/view.ts'
import { createToolSwitch } from '../features/tools/tool-switch.ts'
import { createWebservices } from '../features/webservices/webservices.ts'
import type { Powers } from '../powers/all-powers.ts'
import type { OperationPorts } from './ports.ts'

/** Names of these ports. `test/operations/home-ports.test.ts` checks that no operation of the edge asks for one. */
export const HOME_PORTS = [
  'grants',
  'sharedTimes',
  'scheduled',
  'language',
  'contacts',
  'people',
  'identities',
  'directives',
  'templates',
  'unasked',
  'toolSwitch',
  'cloud',
  'choice',
  'compartments',
  'webservices',
  'housekeeping',
] as const

export type HomePorts = Pick<OperationPorts, (typeof HOME_PORTS)[number]>

export function homePorts(powers: Powers): HomePorts {
  return {
    grants: {
      list: () => grantsOf(powers),
      revoke: async (grant, principal) => revokeGrant(powers, grant, principal),
      allow: (proposer, terms) => proposeFields(powers, proposer, terms),
    },
    sharedTimes: createSharedTimes(powers),
    scheduled: createScheduled(powers),
    language: createLanguagePort(powers),
    contacts: createContacts(powers),
    people: createPeople(powers),
    identities: createIdentityLinks(powers),
    directives: createDirectiveService(powers),
    templates: () => powers.templates.map(templateView),
    unasked: createUnasked(powers),
    toolSwitch: createToolSwitch(powers),
    cloud: (proposer, template) => proposeCloud(powers, proposer, template),
    choice: createChoice(powers),
    compartments: createCompartments(powers),
    webservices: createWebservices(powers),
    housekeeping: () => choreViews(powers),
  }
}
