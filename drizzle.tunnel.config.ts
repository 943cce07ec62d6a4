/** Where drizzle-kit finds the tunnel schema and puts its migrations. Read by `npm run migrations` only. */
import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'sqlite',
  schema: './integrations/store/schema/channel-schema.ts',
  out: './migrations/tunnel',
})
