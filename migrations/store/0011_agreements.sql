CREATE TABLE `agreements` (
	`id` text PRIMARY KEY NOT NULL,
	`doc` text NOT NULL,
	`who` text,
	`created_at` integer NOT NULL
);
