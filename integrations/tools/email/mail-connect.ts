/**
 * Texts for connecting a mail account by IMAP and SMTP (L-12). Data only. Called by run.ts.
 */
import type { ConnectSpec } from '../../../kernel/tool/manifest.ts'

export const MAIL_CONNECT: ConnectSpec = Object.freeze({
  title: 'Mail',
  called: ['mails', 'email', 'e-mail', 'inbox', 'mailbox', 'postfach'],
  where:
    'Make an app password for mail in the security settings of your provider and give me that one, not the password of your account.',
  shape: '[a-z]{4}(?: ?[a-z]{4}){3}|[a-z]{4}(?:-[a-z]{4}){3}',
})
