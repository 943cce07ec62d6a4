/** The services at which an owner signs in with a browser. Data only. Read by `pfar connect`. */
import { GOOGLE_OAUTH } from './google-oauth.ts'
import type { OAuthService } from './oauth-service.ts'
import { OURA_OAUTH } from './oura/oauth.ts'

export const OAUTH_SERVICES: readonly OAuthService[] = [GOOGLE_OAUTH, OURA_OAUTH]
