/**
 * How the owner signs in to Google with a browser, by an OAuth client of their own (L-07): endpoints, what is asked for, and the pages to
 * click through (looked up 2026-11). Data only. Read by `pfar connect google` and by home-tools.ts.
 */
import type { OAuthService } from './oauth-service.ts'

export const GOOGLE_OAUTH: OAuthService = Object.freeze({
  service: 'google',
  title: 'Google',
  issuer: 'https://accounts.google.com',
  authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
  token: 'https://oauth2.googleapis.com/token',
  revoke: 'https://oauth2.googleapis.com/revoke',
  // Google gives a lasting permission only for these, and again only with the page of consent.
  params: { access_type: 'offline', prompt: 'consent' },
  scopes: [
    {
      scope: 'https://www.googleapis.com/auth/calendar',
      means: 'read your calendars, and write to them after a card',
      tool: 'calendar',
    },
    {
      scope: 'https://www.googleapis.com/auth/gmail.readonly',
      means: 'read your mail',
      tool: 'email',
    },
    // Left out by its owner, mail is read alone.
    {
      scope: 'https://www.googleapis.com/auth/gmail.modify',
      means: 'file your mail, mark it and put it into the trash; it is never sent by this way',
      tool: 'email',
    },
    {
      scope: 'https://www.googleapis.com/auth/contacts.readonly',
      means: 'read your contacts, to suggest them to you; it changes none',
      tool: 'addressbook',
    },
  ],
  account: { base: 'https://www.googleapis.com', path: '/calendar/v3/calendars/primary', field: 'id' },
  consents: 'https://myaccount.google.com/connections',
  client: [
    'Google wants you to have an OAuth client of your own. That takes about five minutes, once:',
    '1. https://console.cloud.google.com/projectcreate: a project, by any name.',
    '2. https://console.cloud.google.com/apis/library: find "Google Calendar API", "Gmail API" and "People API", and enable them.',
    '3. https://console.cloud.google.com/auth/overview: "Get started"; any name, your address, audience "External".',
    '4. https://console.cloud.google.com/auth/audience: "Add users" under "Test users", and your own address.',
    '5. https://console.cloud.google.com/auth/clients: "Create client", type "Desktop app". It shows an ID and a secret.',
    'While the audience says "Testing", Google ends what you allow after seven days, and you say `pfar connect google` again.',
    '"Publish app" on that page takes this away; Google then warns that it has not verified the app, which is yours: "Advanced", "Go to …".',
  ],
})
