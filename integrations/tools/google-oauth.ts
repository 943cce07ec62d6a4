/**
 * Sign-in to Google with a browser, by an OAuth client of the owner's own (L-07): endpoints and scopes (looked up 2026-11). Data
 * only; sidecar/oauth/words describes the pages to click through. Read by oauth-services.ts and by home's vault names.
 */
import type { OAuthService } from './oauth-service.ts'

export const GOOGLE_OAUTH: OAuthService = Object.freeze({
  service: 'google',
  title: 'Google',
  issuer: 'https://accounts.google.com',
  authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
  token: 'https://oauth2.googleapis.com/token',
  revoke: 'https://oauth2.googleapis.com/revoke',
  revokesForClient: false,
  redirect: null,
  hasTable: true,
  // Google grants a lasting permission only with these, and a second time only with the consent page.
  params: { access_type: 'offline', prompt: 'consent' },
  scopes: [
    {
      scope: 'https://www.googleapis.com/auth/calendar',
      means: 'calendar',
      tool: 'calendar',
    },
    {
      scope: 'https://www.googleapis.com/auth/gmail.readonly',
      means: 'mail_read',
      tool: 'email',
    },
    // If the owner declines this scope, mail can only be read.
    {
      scope: 'https://www.googleapis.com/auth/gmail.modify',
      means: 'mail_file',
      tool: 'email',
    },
    {
      scope: 'https://www.googleapis.com/auth/contacts.readonly',
      means: 'contacts',
      tool: 'addressbook',
    },
  ],
  account: { base: 'https://www.googleapis.com', path: '/calendar/v3/calendars/primary', field: 'id' },
  consents: 'https://myaccount.google.com/connections',
})
