package main

import (
	"context"
	"fmt"
	"log"
	"os"

	chitarrella "github.com/chitarrella/chitarrella/clients/go"
)

func main() {
	ctx := context.Background()
	client, err := chitarrella.Connect(os.Args[1])
	check(err)
	defer client.Close()
	match, err := client.CreateMatch(ctx, &chitarrella.RuleSet{GameId: "briscola", Players: 2})
	check(err)
	for {
		moves, err := match.LegalMoves(ctx)
		check(err)
		seat := chitarrella.SeatOf(moves.Seat)
		if seat == chitarrella.Nobody {
			break
		}
		_, err = match.AsSeat(seat).Play(ctx, moves.GetMoves()[0])
		check(err)
	}
	fmt.Println(match.ID())
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
