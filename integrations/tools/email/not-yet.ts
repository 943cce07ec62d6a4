/** Mail services that people ask for and that cannot be connected yet, with what can be done instead. Data only. Called by manifest.ts. */
import type { NotYet } from '../../../kernel/tool/manifest.ts'

export const MICROSOFT: NotYet = Object.freeze({
  called: [
    ...['outlook', 'outlook.com', 'outlook mail', 'hotmail', 'microsoft', 'microsoft mail', 'microsoft 365'],
    ...['office 365', 'office365', 'o365', 'm365', 'exchange', 'exchange online', 'live mail', 'msn'],
  ],
  domains: ['outlook', 'hotmail', 'live', 'msn', 'windowslive', 'office365', 'onmicrosoft'],
  says:
    'Mail at Microsoft (Outlook.com, Hotmail, Office 365) cannot be connected yet: it takes only a sign-in by Microsoft, which is not built. ' +
    'What works today: let it forward your mail to an address elsewhere (in Outlook: Settings, Mail, Forwarding), and connect that one: pfar connect mail you@example.com',
})
