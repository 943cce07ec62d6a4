/**
 * Mail services that people ask for and that a chat cannot connect: those that are not supported yet, with an alternative, and
 * those that a command connects. Data only. Called by manifest.ts.
 */
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

/** Any other provider: the command finds the servers, and asks for the password where nobody else reads along. */
export const OWN_MAIL: NotYet = Object.freeze({
  called: [
    ...['mail', 'mails', 'my mail', 'email', 'emails', 'e-mail', 'e-mails', 'mailbox', 'inbox', 'imap'],
    ...['mail account', 'email account', 'e-mail account', 'mail inbox', 'email inbox', 'mail address'],
    ...['postfach', 'mailkonto', 'mail-konto', 'e-mail-konto', 'emailkonto', 'mailpostfach', 'mailadresse'],
  ],
  domains: 'any',
  says: { command: 'pfar connect mail you@example.com' },
})
