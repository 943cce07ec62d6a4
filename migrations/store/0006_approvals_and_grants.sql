CREATE TABLE `grant_uses` (
	`grant` text NOT NULL,
	`day` integer NOT NULL,
	`used` integer NOT NULL,
	PRIMARY KEY(`grant`, `day`)
);
--> statement-breakpoint
CREATE TABLE `grants` (
	`id` text PRIMARY KEY NOT NULL,
	`doc` text NOT NULL,
	`card` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`per_day` integer NOT NULL,
	`revoked_at` integer
);
--> statement-breakpoint
ALTER TABLE `approvals` ADD `kind` text DEFAULT 'tainted_write' NOT NULL;--> statement-breakpoint
ALTER TABLE `approvals` ADD `template` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `approvals` ADD `change` text;--> statement-breakpoint
ALTER TABLE `approvals` ADD `message` text;--> statement-breakpoint
ALTER TABLE `approvals` ADD `told_at` integer;