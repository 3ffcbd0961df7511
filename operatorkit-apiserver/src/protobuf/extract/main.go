// Prints how the types of Kubernetes are written in protobuf: one line a type, read by ../descriptor.rs.
//
// Run with the versions of go.mod: go run . > ../descriptors.txt
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"reflect"
	"sort"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1beta1 "k8s.io/apimachinery/pkg/apis/meta/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

// Types that JSON writes in a way of their own, and the letter that names it.
var special = map[reflect.Type]string{
	reflect.TypeFor[metav1.Time]():                                 "T",
	reflect.TypeFor[metav1.MicroTime]():                            "M",
	reflect.TypeFor[metav1.Duration]():                             "D",
	reflect.TypeFor[metav1.FieldsV1]():                             "J",
	reflect.TypeFor[resource.Quantity]():                           "Q",
	reflect.TypeFor[intstr.IntOrString]():                          "O",
	reflect.TypeFor[runtime.RawExtension]():                        "J",
	reflect.TypeFor[apiextensionsv1.JSON]():                        "J",
	reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrArray]():       "A",
	reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrBool]():        "B",
	reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrStringArray](): "P",
}

// Types in the order in which they are met.
var (
	numbers = map[reflect.Type]int{}
	queue   []reflect.Type
)

func number(t reflect.Type) int {
	if _, known := numbers[t]; !known {
		numbers[t] = len(queue)
		queue = append(queue, t)
	}
	return numbers[t]
}

func main() {
	for _, add := range []func(*runtime.Scheme) error{apiextensionsv1.AddToScheme, apiregistrationv1.AddToScheme} {
		if err := add(scheme.Scheme); err != nil {
			log.Fatal(err)
		}
	}
	// The schema of a CRD stands behind special types.
	number(reflect.TypeFor[apiextensionsv1.JSONSchemaProps]())
	kinds := map[string]int{}
	add := func(gv schema.GroupVersion, kind string, t reflect.Type) {
		if _, ok := reflect.New(t).Interface().(interface{ Marshal() ([]byte, error) }); ok {
			kinds[gv.String()+" "+kind] = number(t)
		}
	}
	known := scheme.Scheme.AllKnownTypes()
	gvks := make([]schema.GroupVersionKind, 0, len(known))
	for gvk := range known {
		gvks = append(gvks, gvk)
	}
	sort.Slice(gvks, func(i, j int) bool { return gvks[i].String() < gvks[j].String() })
	for _, gvk := range gvks {
		if gvk.Version != runtime.APIVersionInternal {
			add(gvk.GroupVersion(), gvk.Kind, known[gvk])
		}
	}
	v1 := schema.GroupVersion{Version: "v1"}
	for _, object := range []any{metav1.Status{}, metav1.APIGroup{}, metav1.APIGroupList{}, metav1.APIResourceList{}, metav1.APIVersions{}} {
		t := reflect.TypeOf(object)
		add(v1, t.Name(), t)
	}
	meta := schema.GroupVersion{Group: "meta.k8s.io", Version: "v1"}
	for _, object := range []any{metav1.PartialObjectMetadata{}, metav1.PartialObjectMetadataList{}, metav1.DeleteOptions{}} {
		t := reflect.TypeOf(object)
		add(meta, t.Name(), t)
	}
	beta := schema.GroupVersion{Group: "meta.k8s.io", Version: "v1beta1"}
	add(beta, "PartialObjectMetadata", reflect.TypeFor[metav1.PartialObjectMetadata]())
	add(beta, "PartialObjectMetadataList", reflect.TypeFor[metav1beta1.PartialObjectMetadataList]())

	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for i := 0; i < len(queue); i++ {
		fmt.Fprintln(out, describe(queue[i]))
	}
	fmt.Fprintln(out)
	names := make([]string, 0, len(kinds))
	for name := range kinds {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		fmt.Fprintln(out, name, kinds[name])
	}
}

// Fields as `<number>:<name in JSON>:<flags><type>`, or `<number>::<type>` if they are inlined.
func describe(t reflect.Type) string {
	if t.Kind() == reflect.Slice {
		return "1:items:[s"
	}
	var fields []string
	for i := 0; i < t.NumField(); i++ {
		field := t.Field(i)
		tag := strings.Split(field.Tag.Get("protobuf"), ",")
		if len(tag) < 2 {
			continue
		}
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		if name == "" && !strings.Contains(options, "inline") && !field.Anonymous {
			log.Fatalf("%v.%s has no name in JSON", t, field.Name)
		}
		fields = append(fields, tag[1]+":"+name+":"+flags(field.Type, options)+code(field.Type))
	}
	return strings.Join(fields, ",")
}

// `?`: absent and empty differ. `-`: what is empty is left out in JSON.
func flags(t reflect.Type, options string) string {
	isStruct := t.Kind() == reflect.Struct
	switch {
	case t.Kind() == reflect.Pointer:
		return "?"
	case strings.Contains(options, "omitzero"), strings.Contains(options, "omitempty") && !isStruct:
		return "-"
	}
	return ""
}

func code(t reflect.Type) string {
	if letter, ok := special[t]; ok {
		return letter
	}
	switch t.Kind() {
	case reflect.Pointer:
		return code(t.Elem())
	case reflect.String:
		return "s"
	case reflect.Bool:
		return "t"
	case reflect.Int32, reflect.Int64, reflect.Int:
		return "i"
	case reflect.Float64:
		return "d"
	case reflect.Map:
		return "{" + code(t.Elem())
	case reflect.Struct:
		return fmt.Sprint(number(t))
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "b"
		}
		if _, ok := reflect.New(t).Interface().(interface{ Marshal() ([]byte, error) }); ok {
			// A message around a list, which JSON writes as a list.
			return "L"
		}
		return "[" + code(t.Elem())
	}
	log.Fatalf("%v is not known", t)
	return ""
}
