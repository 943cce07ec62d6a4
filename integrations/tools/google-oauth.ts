/**
 * How the owner signs in to Google with a browser, by an OAuth client of their own (L-07): endpoints, and what is asked for (looked up
 * 2026-11). Data only; the pages to click through are told in sidecar/oauth/words. Read by `pfar connect google` and by home-tools.ts.
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
  // Google gives a lasting permission only for these, and again only with the page of consent.
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
    // Left out by its owner, mail is read alone.
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
