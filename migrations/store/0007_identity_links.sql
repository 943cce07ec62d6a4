CREATE TABLE `identity_links` (
	`id` text PRIMARY KEY NOT NULL,
	`doc` text NOT NULL,
	`card` text,
	`created_at` integer NOT NULL
);
