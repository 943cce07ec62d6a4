/**
 * Sign-in to Oura with a browser, by an application of the owner's own (L-07): endpoints, and scopes as reported by users of new
 * applications (looked up 2026-11). Data only; sidecar/oauth/words describes the pages to click through. Listed in
 * ../oauth-services.ts.
 */
import type { OAuthService } from '../oauth-service.ts'
import { HOST } from './manifest.ts'

const AT = 'https://moi.ouraring.com/oauth/v2/ext'

export const OURA_OAUTH: OAuthService = Object.freeze({
  service: 'oura',
  title: 'Oura',
  issuer: `${AT}/oauth-anonymous`,
  authorize: `${AT}/oauth-authorize`,
  token: `${AT}/oauth-token`,
  revoke: `${AT}/oauth-revoke`,
  revokesForClient: true,
  // Oura compares the whole redirect URI with that of the application.
  redirect: 'http://localhost:48213/',
  hasTable: false,
  params: {},
  scopes: [
    { scope: 'extapi:personal', means: 'personal', tool: 'oura' },
    { scope: 'extapi:daily', means: 'daily', tool: 'oura' },
    { scope: 'extapi:heartrate', means: 'heartrate', tool: 'oura' },
  ],
  account: { base: `https://${HOST}`, path: '/v2/usercollection/personal_info', field: 'email' },
  consents: 'https://developer.ouraring.com/applications',
})
